# An informer has listed web-1 and is watching, over a network that takes a second for each event.
informer lag=1s
create web-1
handler greeter
run
wait 5s

# The connection is cut, and web-1 is deleted and created again. The server's history holds both
# events.
disconnect
delete web-1
create web-1 color=blue
----
server          5s  ADDED web-1, version 4
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0

# The next watch brings both events, one after the other, and the handler is called for each.
reconnect
wait 30s
----
reflector     5.8s  watch from version 2
              5.8s  opening watch: opened → watching
              6.8s  DELETED web-1@3
              7.8s  ADDED web-1@4
queue         6.8s  web-1: Deleted web-1@3
              7.8s  web-1: Added web-1@4
process       6.8s  pop web-1: Deleted web-1@3
              6.8s  cache - web-1@2
              7.8s  pop web-1: Added web-1@4
              7.8s  cache + web-1@4
greeter       6.8s  deleted web-1@3
              7.8s  added web-1@4
cache [web-1@4], synced: yes
handler greeter: synced: yes, waiting: 0
