# This informer resyncs every 30 seconds, and the calm handler has asked for no resyncs. Up to now
# the server has got a list and a watch: two requests.
informer resync=30s
create web-1
handler greeter
handler calm resync=-1s
run
requests
----
the server has got 2 requests
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0
handler calm: synced: yes, waiting: 0

# The informer replays its cache to the handlers that want it, as updates that change nothing.
wait 30s
----
queue          30s  web-1: Sync web-1@2
process        30s  pop web-1: Sync web-1@2
               30s  cache ~ web-1@2
greeter        30s  updated web-1@2 from version 2
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0
handler calm: synced: yes, waiting: 0

# The server has got no further request.
requests
----
the server has got 2 requests
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0
handler calm: synced: yes, waiting: 0

# A real change goes to all handlers.
update web-1 color=blue
----
server         30s  MODIFIED web-1, version 3
reflector      30s  MODIFIED web-1@3
queue          30s  web-1: Updated web-1@3
process        30s  pop web-1: Updated web-1@3
               30s  cache ~ web-1@3
calm           30s  updated web-1@3 from version 2
greeter        30s  updated web-1@3 from version 2
cache [web-1@3], synced: yes
handler greeter: synced: yes, waiting: 0
handler calm: synced: yes, waiting: 0
