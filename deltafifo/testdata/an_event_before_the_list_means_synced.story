# A queue that was told nothing waits for its first list.
known web-1@1
----
queue []
store [web-1@1]
populated false, initialPopulationCount 0, synced false

# A resync is no news from the server, so it changes nothing about that.
resync
----
queue [web-1]
  web-1: Sync@1
store [web-1@1]
populated false, initialPopulationCount 0, synced false

# But a deletion is, even one of something that nobody knows. The queue concludes that whoever feeds
# it does not begin with a list, and that there is nothing to wait for.
delete db-1@5
----
synced
ignored db-1: Deleted@5
queue [web-1]
  web-1: Sync@1
store [web-1@1]
populated true, initialPopulationCount 0, synced true

# So a list that comes now is not the first sign of life, and no one counts it down. This is why a
# reflector must list before it watches.
relist web-1@90 web-2@90
----
queue [web-1 web-2]
  web-1: Sync@1 Replaced@90
  web-2: Replaced@90
store [web-1@1]
populated true, initialPopulationCount 0, synced true
