# The cache holds web-2 from before. The first list contains web-1 twice, as a faulty server may
# send it, and does not contain web-2. The initial population is what is queued when the list is
# complete: each key once, the deletion of web-2 included.
known web-2@1
relist web-1@88 web-1@90 db-1@90
----
queue [web-1 db-1 web-2]
  web-1: Replaced@88 Replaced@90
  db-1: Replaced@90
  web-2: Deleted@unknown(last seen @1)
cache [web-2@1]
populated true, initialPopulationCount 3, synced false

# An event that comes while the first list is processed is queued behind it and does not count.
add web-3@91
----
queue [web-1 db-1 web-2 web-3]
  web-1: Replaced@88 Replaced@90
  db-1: Replaced@90
  web-2: Deleted@unknown(last seen @1)
  web-3: Added@91
cache [web-2@1]
populated true, initialPopulationCount 3, synced false

# The first of the three is popped with isInInitialList true, and the count goes down.
pop
----
popped web-1: Replaced@88 Replaced@90 (isInInitialList true)
queue [db-1 web-2 web-3]
  db-1: Replaced@90
  web-2: Deleted@unknown(last seen @1)
  web-3: Added@91
cache [web-1@90 web-2@1]
populated true, initialPopulationCount 2, synced false

# Processing db-1 fails. It counts as processed: one object that can't be stored must not keep every
# other part of the program waiting for the sync.
pop fail
----
popped db-1: Replaced@90 (isInInitialList true)
pop returns: processing failed
queue [web-2 web-3]
  web-2: Deleted@unknown(last seen @1)
  web-3: Added@91
cache [web-1@90 web-2@1]
populated true, initialPopulationCount 1, synced false

# The last of the three is popped. When it is processed, the queue has synced.
pop
----
popped web-2: Deleted@unknown(last seen @1) (isInInitialList true)
synced
queue [web-3]
  web-3: Added@91
cache [web-1@90]
populated true, initialPopulationCount 0, synced true

# web-3 came later and is not part of the initial list.
pop
----
popped web-3: Added@91 (isInInitialList false)
queue []
cache [web-1@90 web-3@91]
populated true, initialPopulationCount 0, synced true

# A second list is not counted: a queue that has synced remains synced.
relist web-1@120 web-4@120
----
queue [web-1 web-4 web-3]
  web-1: Replaced@120
  web-4: Replaced@120
  web-3: Deleted@unknown(last seen @91)
cache [web-1@90 web-3@91]
populated true, initialPopulationCount 0, synced true
