create web-1
handler greeter
run
wait 2s

# Watches last a few minutes, then they end: by timeout, by a proxy, or because a server restarts,
# which is what happens here. The reflector knows up to which version it has seen everything and
# asks for what comes after it. No list, no pause, and nothing to tell the handler.
drop
----
reflector       2s  watching: ended → opening watch
                2s  watch from version 2
                2s  opening watch: opened → watching
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0

wait 2s

# Now the connection is cut, a new one is refused, and meanwhile web-1 changes.
disconnect
update web-1 color=blue
----
server          4s  MODIFIED web-1, version 3
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0

# The watch is tried again after growing pauses, always from the version that was last seen. The
# change is still in the server's history: it comes late, but it comes as an event, without a list.
reconnect
wait 10s
----
reflector     4.8s  watch from version 2
              4.8s  opening watch: opened → watching
              4.8s  MODIFIED web-1@3
queue         4.8s  web-1: Updated web-1@3
process       4.8s  pop web-1: Updated web-1@3
              4.8s  cache ~ web-1@3
greeter       4.8s  updated web-1@3 from version 2
cache [web-1@3], synced: yes
handler greeter: synced: yes, waiting: 0
