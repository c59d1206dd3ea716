# Why does a queue need keys? Here is a plain queue of events, and DeltaFIFO beside it. Both get the
# same events, and each has a consumer that applies what it pops to a cache of its own. Both caches
# begin with three objects.
beside naive
begin db-1@1 web-1@1 web-2@1

# The consumers are busy, and web-1 changes four times. Both queues keep all four changes: saving
# memory is not the purpose of keys.
update web-1@2 web-1@3 web-1@4 web-1@5
----
queue of events
  queue [web-1 Updated@2, web-1 Updated@3, web-1 Updated@4, web-1 Updated@5]
  cache [db-1@1 web-1@1 web-2@1]
DeltaFIFO
  queue [web-1]
    web-1: Updated@2 Updated@3 Updated@4 Updated@5
  cache [db-1@1 web-1@1 web-2@1]

# First failure: the cache stays behind. The consumer of events stores version 2, and cannot know
# that three newer versions wait. DeltaFIFO hands over all that waits for the key, so after one pop
# its cache is up to date. Nothing is skipped: an informer calls its handlers once for each delta.
pop
----
queue of events
  popped web-1 Updated@2
  queue [web-1 Updated@3, web-1 Updated@4, web-1 Updated@5]
  cache [db-1@1 web-1@2 web-2@1]
DeltaFIFO
  popped web-1: Updated@2 Updated@3 Updated@4 Updated@5
  queue []
  cache [db-1@1 web-1@5 web-2@1]

# Both consumers take the rest. Then the watch reports a new object, web-3. While its event is
# queued, web-3 is deleted on the server, the deletion is missed, and a relist returns all objects
# but web-3.
drain
add web-3@6
relist db-1@1 web-1@5 web-2@1
----
queue of events
  queue [web-3 Added@6, db-1 Replaced@1, web-1 Replaced@5, web-2 Replaced@1]
  cache [db-1@1 web-1@5 web-2@1]
DeltaFIFO
  queue [web-3 db-1 web-1 web-2]
    web-3: Added@6 Deleted@unknown(last seen @6)
    db-1: Replaced@1
    web-1: Replaced@5
    web-2: Replaced@1
  cache [db-1@1 web-1@5 web-2@1]

# Second failure: a relist does not find a missed deletion. The queue of events has compared the
# list with the cache, which did not hold web-3 yet. So web-3 is stored now, and stays there until a
# later relist. DeltaFIFO has compared the list with its keys as well, and has added a deletion to
# what waits for web-3.
drain
----
queue of events
  popped web-3 Added@6
  popped db-1 Replaced@1
  popped web-1 Replaced@5
  popped web-2 Replaced@1
  queue []
  cache [db-1@1 web-1@5 web-2@1 web-3@6]
DeltaFIFO
  popped web-3: Added@6 Deleted@unknown(last seen @6)
  popped db-1: Replaced@1
  popped web-1: Replaced@5
  popped web-2: Replaced@1
  queue []
  cache [db-1@1 web-1@5 web-2@1]

# web-1 changes. Before the consumers have seen the change, a resync is due: each queue shows its
# consumer again what is in the consumer's cache.
update web-1@7
resync
----
queue of events
  queue [web-1 Updated@7, db-1 Sync@1, web-1 Sync@5, web-2 Sync@1, web-3 Sync@6]
  cache [db-1@1 web-1@5 web-2@1 web-3@6]
DeltaFIFO
  queue [web-1 db-1 web-2]
    web-1: Updated@7
    db-1: Sync@1
    web-2: Sync@1
  cache [db-1@1 web-1@5 web-2@1]

# Third failure: the cache goes back to an older version. The copy of version 5 was queued behind
# the event of version 7, so the consumer of events ends at version 5. DeltaFIFO has left web-1 out,
# because something newer waits under its key.
drain
----
queue of events
  popped web-1 Updated@7
  popped db-1 Sync@1
  popped web-1 Sync@5
  popped web-2 Sync@1
  popped web-3 Sync@6
  queue []
  cache [db-1@1 web-1@5 web-2@1 web-3@6]
DeltaFIFO
  popped web-1: Updated@7
  popped db-1: Sync@1
  popped web-2: Sync@1
  queue []
  cache [db-1@1 web-1@7 web-2@1]
