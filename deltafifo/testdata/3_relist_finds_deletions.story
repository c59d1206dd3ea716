# The first list is stored: three objects. Then the watch breaks, and in the meantime web-2 is
# deleted. A DELETED event that was missed is never sent again.
begin web-1@1 web-2@1 db-1@1

# Before the watch broke, it reported that db-1 has changed. That is still in the queue.
update db-1@2

# Now a relist returns web-1 alone. A list says what exists, not what was deleted, so Replace
# compares: db-1 is queued but not listed, web-2 is known but not listed. Both must have been
# deleted. Their deltas hold a tombstone instead of an object, because the deletion itself was not
# seen. The tombstone holds the last state that came through the queue or is known.
relist web-1@90
----
queue [db-1 web-1 web-2]
  db-1: Updated@2 Deleted@unknown(last seen @2)
  web-1: Replaced@90
  web-2: Deleted@unknown(last seen @1)
store [db-1@1 web-1@1 web-2@1]
populated true, initialPopulationCount 0, synced true

# db-1 was queued first and keeps its place: updated, then gone.
pop
----
popped db-1: Updated@2 Deleted@unknown(last seen @2) (isInInitialList false)
queue [web-1 web-2]
  web-1: Replaced@90
  web-2: Deleted@unknown(last seen @1)
store [web-1@1 web-2@1]
populated true, initialPopulationCount 0, synced true

# web-1 was listed, so it exists. Whether that is an add or an update, the store decides.
pop
----
popped web-1: Replaced@90 (isInInitialList false)
queue [web-2]
  web-2: Deleted@unknown(last seen @1)
store [web-1@90 web-2@1]
populated true, initialPopulationCount 0, synced true

# Deletions that are found by comparing with the store come last in the queue.
pop
----
popped web-2: Deleted@unknown(last seen @1) (isInInitialList false)
queue []
store [web-1@90]
populated true, initialPopulationCount 0, synced true

# The same list once more finds nothing missing.
relist web-1@90
----
queue [web-1]
  web-1: Replaced@90
store [web-1@90]
populated true, initialPopulationCount 0, synced true
