# Three objects are stored. The watch reports that db-1 has changed, and then it breaks. What
# happens on the server after that is never reported as an event.
begin web-1@1 web-2@1 db-1@1
update db-1@2

# A relist returns web-1 alone. A list says what exists, not what was deleted, so the queue
# compares: db-1 is queued but not listed, web-2 is stored but not listed. Both must have been
# deleted. Their deltas hold a tombstone instead of an object, because the deletion itself was not
# seen. The tombstone holds the last state that is queued or stored.
relist web-1@90
----
queue [db-1 web-1 web-2]
  db-1: Updated@2 Deleted@unknown(last seen @2)
  web-1: Replaced@90
  web-2: Deleted@unknown(last seen @1)
cache [db-1@1 web-1@1 web-2@1]
populated true, initialPopulationCount 0, synced true

# db-1 was queued first and keeps its place: updated, then deleted.
pop
----
popped db-1: Updated@2 Deleted@unknown(last seen @2) (isInInitialList false)
queue [web-1 web-2]
  web-1: Replaced@90
  web-2: Deleted@unknown(last seen @1)
cache [web-1@1 web-2@1]
populated true, initialPopulationCount 0, synced true

# web-1 was listed, so it exists. The cache decides whether that is an add or an update.
pop
----
popped web-1: Replaced@90 (isInInitialList false)
queue [web-2]
  web-2: Deleted@unknown(last seen @1)
cache [web-1@90 web-2@1]
populated true, initialPopulationCount 0, synced true

# The deletion that was found by comparing the list with the cache is popped last.
pop
----
popped web-2: Deleted@unknown(last seen @1) (isInInitialList false)
queue []
cache [web-1@90]
populated true, initialPopulationCount 0, synced true

# The same list comes once more. Nothing is missing.
relist web-1@90
----
queue [web-1]
  web-1: Replaced@90
cache [web-1@90]
populated true, initialPopulationCount 0, synced true
