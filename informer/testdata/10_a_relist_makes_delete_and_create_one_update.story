# An informer has listed web-1 and is watching.
create web-1
handler greeter
run
wait 2s

# The connection is cut, and web-1 is deleted and created again. Then the server forgets its
# history.
disconnect
delete web-1
create web-1 color=blue
compact
----
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0

# The relist shows a web-1, and the cache holds a web-1, so the handler gets an update. The key is
# the identity. Only the UID says that this is another object.
reconnect
wait 30s
----
reflector     2.8s  watch from version 2
              2.8s  opening watch: opened → watching
              2.8s  watching: expired, back off → listing (410 too old resource version: 2 (4))
              4.4s  list at version "2"
              4.4s  listing: listed → opening watch
              4.4s  watch from version 4
              4.4s  opening watch: opened → watching
queue         4.4s  web-1: Replaced web-1@4
process       4.4s  pop web-1: Replaced web-1@4
              4.4s  cache ~ web-1@4
greeter       4.4s  updated web-1@4 from version 2, which has another UID
cache [web-1@4], synced: yes
handler greeter: synced: yes, waiting: 0
