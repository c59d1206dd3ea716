# An informer has listed one widget and is watching. Then the widget changes, and the server sends
# an event over the open watch. The event becomes a delta in the queue, a new state in the cache,
# and a call of the handler. No list is needed.
create web-1
handler greeter
run
update web-1 color=blue
----
server          0s  MODIFIED web-1, version 3
reflector       0s  MODIFIED web-1@3
queue           0s  web-1: Updated web-1@3
process         0s  pop web-1: Updated web-1@3
                0s  cache ~ web-1@3
greeter         0s  updated web-1@3 from version 2
cache [web-1@3], synced: yes
handler greeter: synced: yes, waiting: 0

# A new object takes the same way. This add is not part of the initial list.
create web-2
----
server          0s  ADDED web-2, version 4
reflector       0s  ADDED web-2@4
queue           0s  web-2: Added web-2@4
process         0s  pop web-2: Added web-2@4
                0s  cache + web-2@4
greeter         0s  added web-2@4
cache [web-1@3 web-2@4], synced: yes
handler greeter: synced: yes, waiting: 0

# A deletion holds the last state, with the version of the deletion itself.
delete web-1
----
server          0s  DELETED web-1, version 5
reflector       0s  DELETED web-1@5
queue           0s  web-1: Deleted web-1@5
process         0s  pop web-1: Deleted web-1@5
                0s  cache - web-1@3
greeter         0s  deleted web-1@5
cache [web-2@4], synced: yes
handler greeter: synced: yes, waiting: 0
