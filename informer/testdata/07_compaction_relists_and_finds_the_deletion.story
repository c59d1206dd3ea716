# An informer has listed two widgets and is watching.
create web-1 web-2
handler greeter
run
wait 2s

# The connection is cut, and new ones are refused. Then web-2 is deleted, web-1 changes, and the
# server forgets its history: no watch can send these changes any more.
disconnect
delete web-2
update web-1 color=blue
compact
----
cache [web-1@2 web-2@3], synced: yes
handler greeter: synced: yes, waiting: 0

# The server can be reached again. The watch from the old version gets 410 Expired, so the reflector
# lists. The list shows web-1 as it is now, and it does not show web-2. An object that is in the
# cache and not in the list has been deleted: the queue makes a tombstone, with the last state that
# the cache knows.
reconnect
wait 30s
----
reflector     2.8s  watch from version 3
              2.8s  opening watch: opened → watching
              2.8s  watching: expired, back off → listing (410 too old resource version: 3 (5))
              4.4s  list at version "3"
              4.4s  listing: listed → opening watch
              4.4s  watch from version 5
              4.4s  opening watch: opened → watching
queue         4.4s  web-1: Replaced web-1@5
              4.4s  web-2: Deleted tombstone of web-2@3
process       4.4s  pop web-1: Replaced web-1@5
              4.4s  cache ~ web-1@5
              4.4s  pop web-2: Deleted tombstone of web-2@3
              4.4s  cache - web-2@3
greeter       4.4s  updated web-1@5 from version 2
              4.4s  deleted tombstone of web-2@3
cache [web-1@5], synced: yes
handler greeter: synced: yes, waiting: 0
