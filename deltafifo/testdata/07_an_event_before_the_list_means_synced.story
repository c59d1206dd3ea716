# A new queue waits for its first list. The cache of its consumer holds web-1 from before.
known web-1@1
----
queue []
cache [web-1@1]
populated false, initialPopulationCount 0, synced false

# A resync brings nothing from the server, so the queue still waits.
resync
----
queue [web-1]
  web-1: Sync@1
cache [web-1@1]
populated false, initialPopulationCount 0, synced false

# The first event ends the wait, even the deletion of an object that is not stored. The queue
# concludes that its producer does not begin with a list, so there is no list to wait for.
delete db-1@5
----
synced
ignored db-1: Deleted@5
queue [web-1]
  web-1: Sync@1
cache [web-1@1]
populated true, initialPopulationCount 0, synced true

# A list that comes now is not counted down. The queue says that it has synced, although web-2 is
# not in the cache yet. This is why a reflector must list before it watches.
relist web-1@90 web-2@90
----
queue [web-1 web-2]
  web-1: Sync@1 Replaced@90
  web-2: Replaced@90
cache [web-1@1]
populated true, initialPopulationCount 0, synced true
