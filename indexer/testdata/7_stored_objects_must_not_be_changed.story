# A handler gets web-1 from the cache and changes it. Readers share the stored object, so it has
# changed for all of them. The index was not updated: it still holds web-1 under node-a.
index node
add web-1@1 node-a
mutate web-1 node-b
----
items
  web-1@1 on [node-b]
index node
  node-a: web-1

# Storing the same object again does not help. The index func is called for the old object, to find
# out where the index holds it. Old and new object are the same pointer, so the func returns node-b
# for both, and the index sees no change.
update-same web-1
----
updated web-1@1 to @1
items
  web-1@1 on [node-b]
index node
  node-a: web-1

# A reader asks for node-a, and finds a pod that does not run there.
by node node-a
----
found [web-1@1]
items
  web-1@1 on [node-b]
index node
  node-a: web-1

# An update with a new object leaves the wrong entry behind: the func returns node-b for the old
# object, so the key is not removed from node-a.
update web-1@2 node-c
----
updated web-1@1 to @2
items
  web-1@2 on [node-c]
index node
  node-a: web-1
  node-c: web-1

# A deletion leaves it behind, too. A reader that asks for node-a finds nothing there: it does not get
# a key without an object.
delete web-1@2
by node node-a
----
found []
items
index node
  node-a: web-1

# A replace repairs the index, because it builds every index anew. (So would a write that puts web-1
# on node-a, and the next one after it.) But no part of the informer has noticed the change, so no
# list is requested. So change a copy, never the stored object.
replace web-1@3/node-c rv=3
----
replaced everything: 1 objects at 3
items
  web-1@3 on [node-c]
index node
  node-c: web-1
