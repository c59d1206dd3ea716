index node
add web-1@1 node-a

# Somebody gets web-1 from the cache and writes to it. The cache holds that very object, so it has
# changed for everybody. The index was told nothing: it still says node-a.
mutate web-1 node-b
----
items
  web-1@1 on [node-b]
index node
  node-a: web-1

# Handing the object in again does not help. To find out where it was, the old object is asked, and
# that is the same one: it says node-b, and nothing seems to have moved. It can't be found where it
# is ...
update-same web-1
----
updated web-1@1 to @1
items
  web-1@1 on [node-b]
index node
  node-a: web-1

# ... and is found where it is not.
by node node-a
----
found [web-1@1]
items
  web-1@1 on [node-b]
index node
  node-a: web-1

# A real update, with an object of its own, leaves the stray entry behind. Nobody knows of it any
# more.
update web-1@2 node-c
----
updated web-1@1 to @2
items
  web-1@2 on [node-c]
index node
  node-a: web-1
  node-c: web-1

# Only to replace everything cures it, for that builds every index anew, and an informer never does
# so. Better never to fall ill: copy what you want to change.
replace web-1@3/node-c rv=3
----
replaced everything: 1 objects at 3
items
  web-1@3 on [node-c]
index node
  node-c: web-1
