index node
index version

# An index can refuse an object. The object must then not be stored either: it would be in the map
# and in some indices, and not in others.
add web-1@1 nowhere
----
refused: indexer: add: index "node" fails for "web-1": there is no such node
items
index node
index version

add web-1@2 node-a

# The same for an update. The old state stays, in the map and in every index.
update web-1@3 nowhere
----
refused: indexer: update: index "node" fails for "web-1": there is no such node
items
  web-1@2 on [node-a]
index node
  node-a: web-1
index version
  2: web-1

# And nothing is broken: the next state is welcome.
update web-1@4 node-b
----
updated web-1@2 to @4
items
  web-1@4 on [node-b]
index node
  node-b: web-1
index version
  4: web-1
