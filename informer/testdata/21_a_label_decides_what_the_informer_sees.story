# This informer asks the server for widgets with the label app=web. db-1 never leaves the server.
informer labels=app=web
create web-1 app=web
create db-1 app=db
handler greeter
run

# web-1 gets another label. It still exists, but not for this informer: the server sends DELETED.
label web-1 app=old
----
server          0s  MODIFIED web-1, version 4
reflector       0s  DELETED web-1@4
queue           0s  web-1: Deleted web-1@4
process         0s  pop web-1: Deleted web-1@4
                0s  cache - web-1@2
greeter         0s  deleted web-1@4
cache [], synced: yes
handler greeter: synced: yes, waiting: 0

# db-1 gets the label, and the server sends ADDED.
label db-1 app=web
----
server          0s  MODIFIED db-1, version 5
reflector       0s  ADDED db-1@5
queue           0s  db-1: Added db-1@5
process         0s  pop db-1: Added db-1@5
                0s  cache + db-1@5
greeter         0s  added db-1@5
cache [db-1@5], synced: yes
handler greeter: synced: yes, waiting: 0
