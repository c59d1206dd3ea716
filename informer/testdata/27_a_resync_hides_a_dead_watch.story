# This informer resyncs every 30 seconds, in case the watch misses something. It watches, and web-1
# is in its cache.
informer resync=30s
create web-1
handler greeter
silence
run
wait 2s

# The watch is dead, and does not look so: it is open, and says nothing. web-1 changes on the
# server. The informer hears nothing of it.
update web-1 color=blue
----
server          2s  MODIFIED web-1, version 3
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0

# The resync comes. OnUpdate is called, from version 2 to version 2, and all looks alive.
wait 30s
----
queue          30s  web-1: Sync web-1@2
process        30s  pop web-1: Sync web-1@2
               30s  cache ~ web-1@2
greeter        30s  updated web-1@2 from version 2
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0

# It has not asked the server: there were two requests, the list and the watch.
requests
----
the server has got 2 requests
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0
