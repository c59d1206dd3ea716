# A reflector lists, opens a watch, and gets an event: the store is at version 8.
start list-first
list web-1@5 rv=7
grant
send ADDED web-2@8

# The server ends the stream after five minutes, as the reflector has asked it to. The next watch
# begins at 8, the version of the last event: nothing is missed, nothing comes twice, and there is
# no list.
wait 5m
end
----
asks        5m0s  watch resourceVersion=8
machine     5m0s  watching: ended → opening watch
store   [web-1@5 web-2@8] version "8"

# The next watch is granted, and a bookmark says that nothing has happened up to version 20. A
# minute later a load balancer cuts the connection. That is an error, but no list follows: the
# reflector asks for a watch from 20.
grant
send BOOKMARK 20
wait 1m
cut
----
asks        6m0s  watch resourceVersion=20
machine     6m0s  watching: ended → opening watch
errors      6m0s  watching: unexpected EOF
store   [web-1@5 web-2@8] version "20"
