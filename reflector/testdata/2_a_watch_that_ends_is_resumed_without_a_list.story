# A watch is open, and has brought the store to version 8.
start list-first
list web-1@5 rv=7
grant
send ADDED web-2@8

# No stream lasts. This one is ended by the server after five minutes, as it was asked to. The next
# watch begins at 8, where the last event was: nothing is missed, nothing comes twice, no list.
wait 5m
end
----
asks        5m0s  watch resourceVersion=8
machine     5m0s  watching: ended → opening watch
store   [web-1@5 web-2@8] version "8"

grant
send BOOKMARK 20

# This one is cut in the middle, say by a load balancer. That is an error, but it changes nothing:
# the next watch begins at 20, because the bookmark said that nothing had happened up to there.
wait 1m
cut
----
asks        6m0s  watch resourceVersion=20
machine     6m0s  watching: ended → opening watch
errors      6m0s  watching: unexpected EOF
store   [web-1@5 web-2@8] version "20"
