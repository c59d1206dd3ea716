index node
add web-1@1 node-a
add web-2@1 node-a

# There is still somebody on node-a, so the value stays.
delete web-1@2
----
deleted web-1@1
items
  web-2@1 on [node-a]
index node
  node-a: web-2

# Now there is not. An empty set would stay in memory for as long as the program runs, and clusters
# never run out of new node names.
delete web-2@2
----
deleted web-2@1
items
index node

# What is not there can be deleted as often as you like.
delete web-2@2
----
items
index node

# The value comes back with the first object that has it.
add web-3@3 node-a
----
added web-3@3
items
  web-3@3 on [node-a]
index node
  node-a: web-3
