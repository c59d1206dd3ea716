# An informer has listed one widget and is watching.
create web-1
handler greeter
run

# A change on the server comes down the open watch as one frame: an event, a delta, a new state in
# the cache, a call. No list is needed.
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

# So does a new object. The handler can tell: this add is not part of the initial list.
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

# A deletion carries the last state, at the version of the deletion itself.
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
