# web-1 is stored. The watch reports its deletion, and the delta holds the last state, version 5.
begin web-1@1
delete web-1@5
----
queue [web-1]
  web-1: Deleted@5
cache [web-1@1]
populated true, initialPopulationCount 0, synced true

# A relist without web-1 finds the same deletion once more. Two deletions in a row say no more than
# one, so one is dropped: the tombstone, because the other deletion holds the real last state.
relist rv=90
----
merged web-1: keeps Deleted@5, drops Deleted@unknown(last seen @5)
queue [web-1]
  web-1: Deleted@5
cache [web-1@1]
populated true, initialPopulationCount 0, synced true

# web-1 is created again. That is not merged: the consumer must see both the deletion and the new
# object.
add web-1@95
----
queue [web-1]
  web-1: Deleted@5 Added@95
cache [web-1@1]
populated true, initialPopulationCount 0, synced true

# web-1 is deleted again. Only deletions in a row are merged, so now there are two.
delete web-1@99
----
queue [web-1]
  web-1: Deleted@5 Added@95 Deleted@99
cache [web-1@1]
populated true, initialPopulationCount 0, synced true

# web-2 is neither queued nor stored, so its deletion is ignored.
delete web-2@99
----
ignored web-2: Deleted@99
queue [web-1]
  web-1: Deleted@5 Added@95 Deleted@99
cache [web-1@1]
populated true, initialPopulationCount 0, synced true

# web-3 is created and deleted. It is not stored either when the deletion comes, but it is queued:
# the consumer is going to store it, and must then delete it.
add web-3@100
delete web-3@101
----
queue [web-1 web-3]
  web-1: Deleted@5 Added@95 Deleted@99
  web-3: Added@100 Deleted@101
cache [web-1@1]
populated true, initialPopulationCount 0, synced true
