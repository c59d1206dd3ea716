# Four events arrive: one of web-1, one of web-2, and two more of web-1. The queue holds keys, not
# events. The first event of web-1 puts its key in the queue, and the later ones are added to what
# waits for the key. So two events of web-1 that came after the one of web-2 are processed before
# it.
begin db-1@1
add web-1@1 web-2@2
update web-1@3 web-1@4
----
queue [web-1 web-2]
  web-1: Added@1 Updated@3 Updated@4
  web-2: Added@2
cache [db-1@1]
populated true, initialPopulationCount 0, synced true

# A pop takes the first key with everything that waits for it, oldest first. The consumer applies
# each delta, and its cache is at version 4.
pop
----
popped web-1: Added@1 Updated@3 Updated@4 (isInInitialList false)
queue [web-2]
  web-2: Added@2
cache [db-1@1 web-1@4]
populated true, initialPopulationCount 0, synced true

# web-1 has left the queue, so its next event puts the key at the end, behind web-2.
update web-1@5
----
queue [web-2 web-1]
  web-2: Added@2
  web-1: Updated@5
cache [db-1@1 web-1@4]
populated true, initialPopulationCount 0, synced true

# Two equal updates stay two. The queue does not look into objects.
update web-2@6 web-2@6
----
queue [web-2 web-1]
  web-2: Added@2 Updated@6 Updated@6
  web-1: Updated@5
cache [db-1@1 web-1@4]
populated true, initialPopulationCount 0, synced true
