index node
add web-1@1 node-a
add web-2@1 node-a

# An index is the answers of all objects to one question, the other way round: from the node to the
# pods that run there.
add db-1@1 node-b
----
added db-1@1
items
  db-1@1 on [node-b]
  web-1@1 on [node-a]
  web-2@1 on [node-a]
index node
  node-a: web-1 web-2
  node-b: db-1

# web-2 is evicted and comes up elsewhere. The old object tells where it was found so far, the new
# one where it will be. Only these two sets change.
update web-2@2 node-b
----
updated web-2@1 to @2
items
  db-1@1 on [node-b]
  web-1@1 on [node-a]
  web-2@2 on [node-b]
index node
  node-a: web-1
  node-b: db-1 web-2

# Most updates change nothing that an index asks for. Then the object is replaced, and no index is
# touched.
update web-1@2 node-a
----
updated web-1@1 to @2
items
  db-1@1 on [node-b]
  web-1@2 on [node-a]
  web-2@2 on [node-b]
index node
  node-a: web-1
  node-b: db-1 web-2

# Now you would ask: who is on node-b?
by node node-b
----
found [db-1@1 web-2@2]
items
  db-1@1 on [node-b]
  web-1@2 on [node-a]
  web-2@2 on [node-b]
index node
  node-a: web-1
  node-b: db-1 web-2

# An object may have several values, or none while nobody has placed it.
update db-1@2 node-b node-c
----
updated db-1@1 to @2
items
  db-1@2 on [node-b node-c]
  web-1@2 on [node-a]
  web-2@2 on [node-b]
index node
  node-a: web-1
  node-b: db-1 web-2
  node-c: db-1

# With its last value an object leaves the index. It is still stored.
update db-1@3
----
updated db-1@2 to @3
items
  db-1@3 on []
  web-1@2 on [node-a]
  web-2@2 on [node-b]
index node
  node-a: web-1
  node-b: web-2
