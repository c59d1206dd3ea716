create web-1
handler greeter
run
wait 2s

# web-1 is deleted and created again while the client is away. The history still holds both events.
disconnect
delete web-1
create web-1 color=blue
----
server          2s  ADDED web-1, version 4
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0

# The rewatch gets them. Under one key they wait in one place and reach the cache in one go, but the
# handler is told of both.
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
