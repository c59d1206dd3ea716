# The informer has listed three widgets and is watching.
create db-1 web-1 web-2
handler greeter
run
wait 2s

# The process loop is held, so the next change of db-1 stays in the queue.
valve V2 held
update db-1 color=blue

# The connection is cut. db-1 and web-2 are deleted, web-1 changes, and the server forgets its history:
# no watch can send these changes any more.
disconnect
delete db-1
delete web-2
update web-1 color=blue
compact

# A list follows. db-1 is queued and not listed, web-2 is cached and not listed: both have been
# deleted. The queue adds a tombstone for each, with the newest state that it knows: for db-1 the
# queued one, for web-2 the cached one.
reconnect
wait 30s
----
reflector     2.8s  watch from version 5
              2.8s  opening watch: opened → watching
              2.8s  watching: expired, back off → listing (410 too old resource version: 5 (8))
              4.4s  list at version "5"
              4.4s  listing: listed → opening watch
              4.4s  watch from version 8
              4.4s  opening watch: opened → watching
queue         4.4s  web-1: Replaced web-1@8
              4.4s  db-1: Updated db-1@5, Deleted tombstone of db-1@5
              4.4s  web-2: Deleted tombstone of web-2@4
cache [db-1@2 web-1@3 web-2@4], synced: yes
handler greeter: synced: yes, waiting: 0

# The process loop goes on, and the handler is called with both tombstones.
valve V2 open
----
process        32s  pop db-1: Updated db-1@5, Deleted tombstone of db-1@5
               32s  cache ~ db-1@5
               32s  cache - db-1@5
               32s  pop web-1: Replaced web-1@8
               32s  cache ~ web-1@8
               32s  pop web-2: Deleted tombstone of web-2@4
               32s  cache - web-2@4
greeter        32s  updated db-1@5 from version 2
               32s  deleted tombstone of db-1@5
               32s  updated web-1@8 from version 3
               32s  deleted tombstone of web-2@4
cache [web-1@8], synced: yes
handler greeter: synced: yes, waiting: 0
