# An informer has listed web-1 and is watching.
create web-1
handler greeter
run
wait 2s

# The connection is cut. Then web-2 is created and deleted, and the server forgets its history.
# web-1 is as it was, and only the version of the collection is newer.
disconnect
create web-2
delete web-2
compact
----
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0

# The informer has to list. The queue does not know that nothing has changed: it says Replaced. The
# process loop finds web-1 in the cache, so this is an update, from a version to the same version.
# Like a resync, it goes to the handlers that are due for one. In an informer without a resync
# period all handlers count as due, because it never checks.
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
queue         4.4s  web-1: Replaced web-1@2
process       4.4s  pop web-1: Replaced web-1@2
              4.4s  cache ~ web-1@2
greeter       4.4s  updated web-1@2 from version 2
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0
