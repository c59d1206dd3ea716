# An informer has listed web-1 and is watching.
create web-1
handler greeter
run
wait 2s

# The connection is cut. web-1 changes twice, web-2 is created and deleted, and the server forgets
# its history.
disconnect
update web-1 color=blue
update web-1 color=green
create web-2
delete web-2
compact

# The relist shows how web-1 is now. Two changes arrive as one update, from the version that the
# cache held. The handler is never called with web-2.
reconnect
wait 30s
----
reflector     2.8s  watch from version 2
              2.8s  opening watch: opened → watching
              2.8s  watching: expired, back off → listing (410 too old resource version: 2 (6))
              4.4s  list at version "2"
              4.4s  listing: listed → opening watch
              4.4s  watch from version 6
              4.4s  opening watch: opened → watching
queue         4.4s  web-1: Replaced web-1@4
process       4.4s  pop web-1: Replaced web-1@4
              4.4s  cache ~ web-1@4
greeter       4.4s  updated web-1@4 from version 2
cache [web-1@4], synced: yes
handler greeter: synced: yes, waiting: 0
