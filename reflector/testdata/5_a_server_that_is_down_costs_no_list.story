# A watch is open, and all is well.
start list-first
list web-1@5 rv=7
grant
wait 1m

# The server goes away, and takes the stream with it. Nobody listens any more, so there is nothing
# to list from either. The watch is asked for again and again as it was, with growing pauses.
down
cut
----
machine     1m0s  watching: ended → opening watch
            1m0s  opening watch: busy, back off → opening watch
            1m0s    pause of 800ms
errors      1m0s  watching: unexpected EOF
            1m0s  opening watch: dial: connection refused
store   [web-1@5] version "7"

# A pause is double the one before it, so that a thousand clients do not keep the server down.
wait 3s
----
machine   1m0.8s  opening watch: busy, back off → opening watch
          1m0.8s    pause of 1.6s
          1m2.4s  opening watch: busy, back off → opening watch
          1m2.4s    pause of 3.2s
errors    1m0.8s  opening watch: dial: connection refused
          1m2.4s  opening watch: dial: connection refused
store   [web-1@5] version "7"

# It comes back. The watch goes on at 7, as if nothing had been: not one list was needed, for this
# client or for the thousand others that have waited like it.
up
wait 3s
----
asks      1m5.6s  watch resourceVersion=7
store   [web-1@5] version "7"

# What happened in the meantime comes now.
grant
send ADDED web-2@8
----
events      1m6s  ADDED web-2@8
store   [web-1@5 web-2@8] version "8"
