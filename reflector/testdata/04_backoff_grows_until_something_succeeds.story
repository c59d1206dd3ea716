# The server is there, but cannot answer. The pause after each attempt is double the one before it.
# (Outside of stories each pause is stretched at random, up to its double, so that not all clients
# come back at once.)
start list-first
refuse 503 ServiceUnavailable
----
machine       0s  listing: failed, back off → listing
              0s    pause of 800ms
errors        0s  listing: server says 503 ServiceUnavailable: …
store   [] version ""

# A second time: 1.6 s.
wait 800ms
refuse 503 ServiceUnavailable
----
machine    800ms  listing: failed, back off → listing
           800ms    pause of 1.6s
errors     800ms  listing: server says 503 ServiceUnavailable: …
store   [] version ""

wait 1600ms

# A list that succeeds does not end the series: if every watch failed, a list before each of them
# would be a storm of lists.
list web-1@5 rv=7
refuse 403 Forbidden
----
machine     2.4s  opening watch: failed, back off → listing
            2.4s    pause of 3.2s
errors      2.4s  opening watch: server says 403 Forbidden: …
store   [web-1@5] version "7"

wait 3200ms
list web-1@5 rv=7
grant

# A watch that lasted more than a second is a success, and the next pause is short again.
wait 1m
send ERROR 500 InternalError
----
machine   1m5.6s  watching: failed, back off → listing
          1m5.6s    pause of 800ms
errors    1m5.6s  watching: server says 500 InternalError: …
store   [web-1@5] version "7"
