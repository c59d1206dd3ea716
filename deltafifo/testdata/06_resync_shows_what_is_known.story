# Two objects are stored, and a newer version of web-1 is queued. A resync shows the consumer again
# what is in its own cache, and sends no request to the server. web-1 is left out: version 5 is
# queued, and a Sync of version 1 behind it would set the cache back.
begin web-1@1 web-2@1
update web-1@5
resync
----
queue [web-1 web-2]
  web-1: Updated@5
  web-2: Sync@1
cache [web-1@1 web-2@1]
populated true, initialPopulationCount 0, synced true

# A second resync queues nothing: both keys are queued already.
resync
----
queue [web-1 web-2]
  web-1: Updated@5
  web-2: Sync@1
cache [web-1@1 web-2@1]
populated true, initialPopulationCount 0, synced true

# Version 5 of web-1 reaches the cache.
pop
----
popped web-1: Updated@5 (isInInitialList false)
queue [web-2]
  web-2: Sync@1
cache [web-1@5 web-2@1]
populated true, initialPopulationCount 0, synced true

# web-2 is popped in the state that the cache already holds. An informer makes this an update from
# the object to itself, for the handlers that are due for a resync.
pop
----
popped web-2: Sync@1 (isInInitialList false)
queue []
cache [web-1@5 web-2@1]
populated true, initialPopulationCount 0, synced true
