# An informer has listed web-1 and is watching.
create web-1
handler greeter
run
wait 2s

# The connection is cut. web-1 is painted blue, which is version 3, and is deleted. The server
# forgets its history.
disconnect
update web-1 color=blue
delete web-1
compact

# The relist comes without web-1. The handler's OnDelete gets a tombstone, which holds the last
# state that the cache held: version 2, still red. The informer never got version 3.
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
queue         4.4s  web-1: Deleted tombstone of web-1@2
process       4.4s  pop web-1: Deleted tombstone of web-1@2
              4.4s  cache - web-1@2
greeter       4.4s  deleted tombstone of web-1@2
cache [], synced: yes
handler greeter: synced: yes, waiting: 0
