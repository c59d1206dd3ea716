# A resync asks the server nothing. It shows the consumer again what is in its own store.
begin web-1@1 web-2@1
update web-1@5

# web-1 is left out: version 5 is on its way, and a Sync of version 1 behind it would turn the clock
# back.
resync
----
queue [web-1 web-2]
  web-1: Updated@5
  web-2: Sync@1
store [web-1@1 web-2@1]
populated true, initialPopulationCount 0, synced true

# A second resync finds everything queued.
resync
----
queue [web-1 web-2]
  web-1: Updated@5
  web-2: Sync@1
store [web-1@1 web-2@1]
populated true, initialPopulationCount 0, synced true

# The store learns of version 5, which is what it was waiting for ...
pop
----
popped web-1: Updated@5 (isInInitialList false)
queue [web-2]
  web-2: Sync@1
store [web-1@5 web-2@1]
populated true, initialPopulationCount 0, synced true

# ... and is shown web-2, which it had all along. Handlers hear of it once more.
pop
----
popped web-2: Sync@1 (isInInitialList false)
queue []
store [web-1@5 web-2@1]
populated true, initialPopulationCount 0, synced true
