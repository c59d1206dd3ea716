# Two pods are stored. Then a list becomes the whole content: web-1 is removed and db-1 is new, in
# the index too.
index node
add web-1@1 node-a
add web-2@1 node-a
replace web-2@9/node-b db-1@9/node-b rv=9
----
replaced everything: 2 objects at 9
items
  db-1@9 on [node-b]
  web-2@9 on [node-b]
index node
  node-b: db-1 web-2

# If a list has two states of one object, the last one is stored.
replace web-2@11/node-a web-2@12/node-c rv=12
----
replaced everything: 1 objects at 12
items
  web-2@12 on [node-c]
index node
  node-c: web-2

# An empty list empties the cache, and with it every index.
replace rv=13
----
replaced everything: 0 objects at 13
items
index node
