# Two pods are on node-a, and one of them is deleted. The other is still there, so the value stays.
index node
add web-1@1 node-a
add web-2@1 node-a
delete web-1@2
----
deleted web-1@1
items
  web-2@1 on [node-a]
index node
  node-a: web-2

# The other is deleted, and the value is removed too. Otherwise empty sets would stay in memory for
# as long as the program runs, and a cluster that scales up and down gets new node names all the
# time.
delete web-2@2
----
deleted web-2@1
items
index node

# The deletion of an object that is not stored changes nothing and is not an error.
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
