# web-1 has a finalizer: the server keeps it until the finalizer has been removed.
create web-1 finalizer=example.dev/cleanup
handler greeter
run

# A client deletes web-1. The server only writes a deletionTimestamp into it. That is an update like
# any other: the object stays in the cache, and the handler is called with OnUpdate.
delete web-1
----
server          0s  MODIFIED web-1, version 3
reflector       0s  MODIFIED web-1@3
queue           0s  web-1: Updated web-1@3
process         0s  pop web-1: Updated web-1@3
                0s  cache ~ web-1@3
greeter         0s  updated web-1@3 from version 2, which is being deleted
cache [web-1@3], synced: yes
handler greeter: synced: yes, waiting: 0

# A controller that has cleaned up removes its finalizer. It was the last one, so this update ends
# the object: the server sends DELETED, and the handler is called with OnDelete.
finish web-1
----
server          0s  DELETED web-1, version 4
reflector       0s  DELETED web-1@4
queue           0s  web-1: Deleted web-1@4
process         0s  pop web-1: Deleted web-1@4
                0s  cache - web-1@3
greeter         0s  deleted web-1@4
cache [], synced: yes
handler greeter: synced: yes, waiting: 0
