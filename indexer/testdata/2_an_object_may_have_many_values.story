# An object may have several values. db-1 runs on two nodes, and its key is in the sets of both.
index node
add web-1@1 node-a
add db-1@1 node-a node-b
----
added db-1@1
items
  db-1@1 on [node-a node-b]
  web-1@1 on [node-a]
index node
  node-a: db-1 web-1
  node-b: db-1

# An update changes only what is different: node-a keeps db-1, node-b loses it, node-c gets it.
update db-1@2 node-a node-c
----
updated db-1@1 to @2
items
  db-1@2 on [node-a node-c]
  web-1@1 on [node-a]
index node
  node-a: db-1 web-1
  node-c: db-1

# The same value twice counts once.
update db-1@3 node-c node-c
----
updated db-1@2 to @3
items
  db-1@3 on [node-c node-c]
  web-1@1 on [node-a]
index node
  node-a: web-1
  node-c: db-1

# An object without a value is in no set of the index. It is still stored.
update db-1@4
----
updated db-1@3 to @4
items
  db-1@4 on []
  web-1@1 on [node-a]
index node
  node-a: web-1

# With its next value it is in the index again.
update db-1@5 node-b
----
updated db-1@4 to @5
items
  db-1@5 on [node-b]
  web-1@1 on [node-a]
index node
  node-a: web-1
  node-b: db-1
