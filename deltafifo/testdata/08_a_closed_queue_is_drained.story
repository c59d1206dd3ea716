# An event is queued, and the queue is closed. It keeps what is queued.
begin db-1@1
add web-1@1
close
----
queue [web-1]
  web-1: Added@1
cache [db-1@1]
populated true, initialPopulationCount 0, synced true

# A producer can still add to it.
add web-2@2
----
queue [web-1 web-2]
  web-1: Added@1
  web-2: Added@2
cache [db-1@1]
populated true, initialPopulationCount 0, synced true

# What was queued before the close can be popped.
pop
----
popped web-1: Added@1 (isInInitialList false)
queue [web-2]
  web-2: Added@2
cache [db-1@1 web-1@1]
populated true, initialPopulationCount 0, synced true

# What was queued after the close can be popped as well.
pop
----
popped web-2: Added@2 (isInInitialList false)
queue []
cache [db-1@1 web-1@1 web-2@2]
populated true, initialPopulationCount 0, synced true

# When nothing is left, Pop returns an error. On an open queue it would wait here.
pop
----
pop returns: deltafifo: queue is closed and empty
queue []
cache [db-1@1 web-1@1 web-2@2]
populated true, initialPopulationCount 0, synced true
