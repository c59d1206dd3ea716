# This informer resyncs every 30 seconds. The greeter takes part, the calm handler has asked for no
# resyncs.
informer resync=30s
create web-1
handler greeter
handler calm resync=-1s
run

# The first resync: of the two handlers, the greeter is due.
wait 30s
----
queue          30s  web-1: Sync web-1@2
process        30s  pop web-1: Sync web-1@2
               30s  cache ~ web-1@2
greeter        30s  updated web-1@2 from version 2
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0
handler calm: synced: yes, waiting: 0

# The connection is cut, web-2 is created and deleted, and the server forgets its history. web-1 is
# as it was.
disconnect
create web-2
delete web-2
compact

# The relist brings nothing new. Like a resync, it goes to the handlers that were due at the last
# check. The calm handler is not called. (An informer without resyncs never checks which handlers
# are due, and then all of them are called.)
reconnect
wait 20s
----
reflector    30.8s  watch from version 2
             30.8s  opening watch: opened → watching
             30.8s  watching: expired, back off → listing (410 too old resource version: 2 (4))
             32.4s  list at version "2"
             32.4s  listing: listed → opening watch
             32.4s  watch from version 4
             32.4s  opening watch: opened → watching
queue        32.4s  web-1: Replaced web-1@2
process      32.4s  pop web-1: Replaced web-1@2
             32.4s  cache ~ web-1@2
greeter      32.4s  updated web-1@2 from version 2
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0
handler calm: synced: yes, waiting: 0
