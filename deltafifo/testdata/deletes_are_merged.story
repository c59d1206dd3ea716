begin web-1@1

# A deletion that the watch has seen: the delta holds the last state, version 5.
delete web-1@5
----
queue [web-1]
  web-1: Deleted@5
store [web-1@1]
populated true, initialPopulationCount 0, synced true

# A relist without web-1 wants to say that it is gone. That is known already, and the real last
# state is worth more than a tombstone's guess. What is gone can't go again: one deletion stays.
relist rv=90
----
merged web-1: keeps Deleted@5, drops Deleted@unknown(last seen @5)
queue [web-1]
  web-1: Deleted@5
store [web-1@1]
populated true, initialPopulationCount 0, synced true

# web-1 is created anew. That is not merged with anything: the consumer must see it go and come
# back.
add web-1@95
----
queue [web-1]
  web-1: Deleted@5 Added@95
store [web-1@1]
populated true, initialPopulationCount 0, synced true

# It goes again. Only deletions right behind each other are merged, so now there are two.
delete web-1@99
----
queue [web-1]
  web-1: Deleted@5 Added@95 Deleted@99
store [web-1@1]
populated true, initialPopulationCount 0, synced true

# web-2 is neither queued nor known. To delete it would be news to nobody.
delete web-2@99
----
ignored web-2: Deleted@99
queue [web-1]
  web-1: Deleted@5 Added@95 Deleted@99
store [web-1@1]
populated true, initialPopulationCount 0, synced true

add web-3@100

# web-3 is not known either, but it is queued. Nobody has stored it yet, but somebody will, and
# then it must go again.
delete web-3@101
----
queue [web-1 web-3]
  web-1: Deleted@5 Added@95 Deleted@99
  web-3: Added@100 Deleted@101
store [web-1@1]
populated true, initialPopulationCount 0, synced true
