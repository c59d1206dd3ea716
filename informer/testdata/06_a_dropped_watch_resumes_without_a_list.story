# An informer has listed web-1 and is watching. The server ends the watch, as every server does
# after some minutes. The reflector knows up to which version it has seen everything, and asks for
# what comes after it. There is no list, no pause, and no call of the handler.
create web-1
handler greeter
run
wait 2s
drop
----
reflector       2s  watching: ended → opening watch
                2s  watch from version 2
                2s  opening watch: opened → watching
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0

# Two seconds later the connection is cut, new ones are refused, and web-1 changes.
wait 2s
disconnect
update web-1 color=blue
----
server          4s  MODIFIED web-1, version 3
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0

# The server can be reached again. The reflector asks for the watch after a pause, from the version
# that it has seen last. The change is still in the server's history, so it comes as an event, late
# and without a list.
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
