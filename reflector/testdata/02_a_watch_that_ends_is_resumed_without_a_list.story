# A watch is open, and its events have brought the store to version 8.
start list-first
list web-1@5 rv=7
grant
send ADDED web-2@8

# The server ends the stream after five minutes, as the reflector has asked it to. The next watch
# begins at 8, the version of the last event: nothing is missed, nothing comes twice, and there is no
# list.
wait 5m
end
----
asks        5m0s  watch resourceVersion=8
machine     5m0s  watching: ended → opening watch
store   [web-1@5 web-2@8] version "8"

grant
send BOOKMARK 20

# A load balancer cuts the next stream in the middle. That is an error, but it costs no list either:
# the next watch begins at 20, because the bookmark said that nothing had happened up to there.
wait 1m
cut
----
asks        6m0s  watch resourceVersion=20
machine     6m0s  watching: ended → opening watch
errors      6m0s  watching: unexpected EOF
store   [web-1@5 web-2@8] version "20"
