# A store without indices is a map from keys to objects.
add web-1@7 node-a
add web-2@7 node-b
----
added web-2@7
items
  web-1@7 on [node-a]
  web-2@7 on [node-b]

# An index is added. Its func is called for every stored object.
index node
----
items
  web-1@7 on [node-a]
  web-2@7 on [node-b]
index node
  node-a: web-1
  node-b: web-2

# From now on it follows every change.
update web-2@8 node-a
----
updated web-2@7 to @8
items
  web-1@7 on [node-a]
  web-2@8 on [node-a]
index node
  node-a: web-1 web-2

# A second index is added over the same objects: by resourceVersion.
index version
----
items
  web-1@7 on [node-a]
  web-2@8 on [node-a]
index node
  node-a: web-1 web-2
index version
  7: web-1
  8: web-2
