# A handler gets web-1 from the store and changes it. Readers share the stored object, so it has
# changed for all of them. The index was not told: it still holds web-1 under node-a.
index node
add web-1@1 node-a
mutate web-1 node-b
----
items
  web-1@1 on [node-b]
index node
  node-a: web-1

# Storing the same object again does not help. The index func is called for the old object, to learn
# where the index holds it. The old object is the same pointer, so it says node-b, and the index
# sees no change.
update-same web-1
----
updated web-1@1 to @1
items
  web-1@1 on [node-b]
index node
  node-a: web-1

# A lister asks for node-a, and finds a pod that is not there.
by node node-a
----
found [web-1@1]
items
  web-1@1 on [node-b]
index node
  node-a: web-1

# An update with a new object leaves the wrong entry behind: the old object says that it was on
# node-b.
update web-1@2 node-c
----
updated web-1@1 to @2
items
  web-1@2 on [node-c]
index node
  node-a: web-1
  node-c: web-1

# Only a replace repairs the index, because it builds every index anew. Nothing asks for one,
# because nothing has noticed the change. So change a copy, never the stored object.
replace web-1@3/node-c rv=3
----
replaced everything: 1 objects at 3
items
  web-1@3 on [node-c]
index node
  node-c: web-1
