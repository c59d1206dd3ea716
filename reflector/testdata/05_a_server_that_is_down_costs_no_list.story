# A reflector has listed, and its watch has been open for a minute.
start list-first
list web-1@5 rv=7
grant
wait 1m

# The server stops, and the stream breaks. Nothing listens at its address, so a list would fail as
# well. The reflector asks for the same watch again and again, with growing pauses.
down
cut
----
asks        1m0s  watch resourceVersion=7
machine     1m0s  watching: ended → opening watch
            1m0s  opening watch: busy, back off → opening watch
            1m0s    pause of 800ms
errors      1m0s  watching: unexpected EOF
            1m0s  opening watch: dial: connection refused
store   [web-1@5] version "7"

# Each pause is double the one before it, so that a thousand clients do not keep the server down.
wait 3s
----
asks      1m0.8s  watch resourceVersion=7
          1m2.4s  watch resourceVersion=7
machine   1m0.8s  opening watch: busy, back off → opening watch
          1m0.8s    pause of 1.6s
          1m2.4s  opening watch: busy, back off → opening watch
          1m2.4s    pause of 3.2s
errors    1m0.8s  opening watch: dial: connection refused
          1m2.4s  opening watch: dial: connection refused
store   [web-1@5] version "7"

# The server is back. The reflector asks for a watch from version 7, and needs no list. Neither do
# the other clients that have waited.
up
wait 3s
----
asks      1m5.6s  watch resourceVersion=7
store   [web-1@5] version "7"

# The watch is granted, and what happened in the meantime arrives.
grant
send ADDED web-2@8
----
events      1m6s  ADDED web-2@8
store   [web-1@5 web-2@8] version "8"
