# Two objects are queued. The consumer fails to store web-1. Pop returns its error, and the deltas
# are gone.
begin db-1@1
add web-1@1 web-2@2
pop fail
----
popped web-1: Added@1 (isInInitialList false)
pop returns: processing failed
queue [web-2]
  web-2: Added@2
cache [db-1@1]
populated true, initialPopulationCount 0, synced true

# web-3 is queued. The consumer fails again, and this time its error is an ErrRequeue: the deltas of
# web-2 are put back, at the end of the queue.
add web-3@3
pop requeue
----
popped web-2: Added@2 (isInInitialList false)
put back web-2: Added@2
pop returns: processing failed, try again later
queue [web-3 web-2]
  web-3: Added@3
  web-2: Added@2
cache [db-1@1]
populated true, initialPopulationCount 0, synced true

# The deltas of web-2 wait like any others, and its next event is added to them.
update web-2@4
----
queue [web-3 web-2]
  web-3: Added@3
  web-2: Added@2 Updated@4
cache [db-1@1]
populated true, initialPopulationCount 0, synced true

# web-3 is processed before an older event of web-2. This is one reason why client-go removed
# requeues.
pop
----
popped web-3: Added@3 (isInInitialList false)
queue [web-2]
  web-2: Added@2 Updated@4
cache [db-1@1 web-3@3]
populated true, initialPopulationCount 0, synced true

# web-2 is popped last, with everything that has happened to it.
pop
----
popped web-2: Added@2 Updated@4 (isInInitialList false)
queue []
cache [db-1@1 web-2@4 web-3@3]
populated true, initialPopulationCount 0, synced true
