# There are two indices, by node and by resourceVersion. The index func by node returns an error for
# the node "nowhere". The update is stored all the same, because the cache must hold what the server
# holds. web-1 is missing in that one index, the other index is updated, and the caller gets the
# error.
index node
index version
add web-1@1 node-a
add web-2@1 node-a
update web-1@2 nowhere
----
updated web-1@1 to @2
error: indexer: update: object "web-1" is left out of index "node": there is no such node
items
  web-1@2 on [nowhere]
  web-2@1 on [node-a]
index node
  node-a: web-2
index version
  1: web-2
  2: web-1

# A lister that asks this index does not find web-1, not even under its old value.
by node node-a
----
found [web-2@1]
items
  web-1@2 on [nowhere]
  web-2@1 on [node-a]
index node
  node-a: web-2
index version
  1: web-2
  2: web-1

# The next update that the index func accepts puts web-1 into the index again.
update web-1@3 node-b
----
updated web-1@2 to @3
items
  web-1@3 on [node-b]
  web-2@1 on [node-a]
index node
  node-a: web-2
  node-b: web-1
index version
  1: web-2
  3: web-1

# In a list, each refused object is left out and the others are stored as usual. There is one error
# for each index: it names the first key and counts the rest.
replace web-1@9/nowhere web-2@9/node-a web-3@9/nowhere rv=9
----
replaced everything: 3 objects at 9
error: indexer: replace: object "web-1" and 1 more are left out of index "node": there is no such node
items
  web-1@9 on [nowhere]
  web-2@9 on [node-a]
  web-3@9 on [nowhere]
index node
  node-a: web-2
index version
  9: web-1 web-2 web-3

# A refused object can be deleted like any other.
delete web-1@10
----
deleted web-1@9
items
  web-2@9 on [node-a]
  web-3@9 on [nowhere]
index node
  node-a: web-2
index version
  9: web-2 web-3

# An index that is added late leaves refused objects out as well: web-3 is stored, and not in it.
index node-2
----
error: indexer: add indexers: object "web-3" is left out of index "node-2": there is no such node
items
  web-2@9 on [node-a]
  web-3@9 on [nowhere]
index node
  node-a: web-2
index version
  9: web-2 web-3
index node-2
  node-a: web-2
