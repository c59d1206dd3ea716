# The server cannot answer the first list. After the failure the reflector makes a pause. (Outside
# of stories each pause is stretched at random, up to its double, so that not all clients return at
# once.)
start list-first
refuse 503 ServiceUnavailable
----
machine       0s  listing: failed, back off → listing
              0s    pause of 800ms
errors        0s  listing: server says 503 ServiceUnavailable: …
store   [] version ""

# The second list fails as well, and the next pause is twice as long.
wait 800ms
refuse 503 ServiceUnavailable
----
machine    800ms  listing: failed, back off → listing
           800ms    pause of 1.6s
errors     800ms  listing: server says 503 ServiceUnavailable: …
store   [] version ""

# The third list succeeds, but the watch is refused. The pauses keep growing: a list that succeeds
# does not make them short again. Otherwise every failing watch would cause a list every second or
# two.
wait 1600ms
list web-1@5 rv=7
refuse 403 Forbidden
----
machine     2.4s  opening watch: failed, back off → listing
            2.4s    pause of 3.2s
errors      2.4s  opening watch: server says 403 Forbidden: …
store   [web-1@5] version "7"

# The next watch is granted, and fails after a minute. A watch that lasts as long as the longest
# pause, which is thirty seconds, is a success whatever its end. So this pause is short again.
wait 3200ms
list web-1@5 rv=7
grant
wait 1m
send ERROR 500 InternalError
----
machine   1m5.6s  watching: failed, back off → listing
          1m5.6s    pause of 800ms
errors    1m5.6s  watching: server says 500 InternalError: …
store   [web-1@5] version "7"
