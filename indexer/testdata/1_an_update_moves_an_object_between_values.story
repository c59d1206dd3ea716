# An index finds objects by a value, in this story pods by their node. For each node it holds the
# keys of the pods that run there.
index node
add web-1@1 node-a
add web-2@1 node-a
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

# web-2 has been created again, on node-b. The index func returns node-a for the old object and
# node-b for the new one, so the key web-2 moves from one set to the other.
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

# Most updates change no value. Then the object is replaced, and the index is not touched.
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

# A reader asks: which pods are on node-b?
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

# The last pod on node-a is deleted, and the value is removed with it.
delete web-1@3
----
deleted web-1@2
items
  db-1@1 on [node-b]
  web-2@2 on [node-b]
index node
  node-b: db-1 web-2
