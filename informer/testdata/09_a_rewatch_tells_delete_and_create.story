# An informer has listed web-1 and is watching.
create web-1
handler greeter
run
wait 2s

# The connection is cut, and web-1 is deleted and created again. The server's history holds both
# events.
disconnect
delete web-1
create web-1 color=blue
----
server          2s  ADDED web-1, version 4
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0

# The next watch brings both events. They wait under one key and are processed together, and the
# handler is told of each.
reconnect
wait 30s
----
reflector     2.8s  watch from version 2
              2.8s  opening watch: opened → watching
              2.8s  DELETED web-1@3
              2.8s  ADDED web-1@4
queue         2.8s  web-1: Deleted web-1@3
              2.8s  web-1: Deleted web-1@3, Added web-1@4
process       2.8s  pop web-1: Deleted web-1@3, Added web-1@4
              2.8s  cache - web-1@2
              2.8s  cache + web-1@4
greeter       2.8s  deleted web-1@3
              2.8s  added web-1@4
cache [web-1@4], synced: yes
handler greeter: synced: yes, waiting: 0
