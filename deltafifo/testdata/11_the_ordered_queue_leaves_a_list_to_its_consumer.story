# Two queues get the same events. Two objects are stored. A relist returns web-1 alone, and then the
# watch reports web-3. DeltaFIFO has already found the deletion of web-2, by comparing the list with
# its consumer's cache and with what is queued. RealFIFO has only queued the list.
beside realfifo
begin web-1@4 web-2@3
relist web-1@4
add web-3@91
----
RealFIFO
  queue [ReplacedAll@90 [web-1@4], web-3 Added@91]
  cache [web-1@4 web-2@3]
DeltaFIFO
  queue [web-1 web-2 web-3]
    web-1: Replaced@4
    web-2: Deleted@unknown(last seen @3)
    web-3: Added@91
  cache [web-1@4 web-2@3]

# When the list is popped, the consumer of RealFIFO compares it with its cache. By then the cache
# holds everything that came before the list, and nothing that came after it.
pop
----
RealFIFO
  popped ReplacedAll@90 [web-1@4]
    the consumer finds web-2 deleted
  queue [web-3 Added@91]
  cache [web-1@4]
DeltaFIFO
  popped web-1: Replaced@4
  queue [web-2 web-3]
    web-2: Deleted@unknown(last seen @3)
    web-3: Added@91
  cache [web-1@4 web-2@3]

# DeltaFIFO delivers the deletion separately, after the object that was listed.
drain
----
RealFIFO
  popped web-3 Added@91
  queue []
  cache [web-1@4 web-3@91]
DeltaFIFO
  popped web-2: Deleted@unknown(last seen @3)
  popped web-3: Added@91
  queue []
  cache [web-1@4 web-3@91]

# The reflector asks for a resync. DeltaFIFO queues each object that the cache holds. RealFIFO
# queues one delta: when it is popped, the consumer looks at what its cache holds by then.
resync
----
RealFIFO
  queue [SyncAll]
  cache [web-1@4 web-3@91]
DeltaFIFO
  queue [web-1 web-3]
    web-1: Sync@4
    web-3: Sync@91
  cache [web-1@4 web-3@91]

# Both consumers look at the same objects.
drain
----
RealFIFO
  popped SyncAll
    the consumer looks at [web-1@4 web-3@91]
  queue []
  cache [web-1@4 web-3@91]
DeltaFIFO
  popped web-1: Sync@4
  popped web-3: Sync@91
  queue []
  cache [web-1@4 web-3@91]

# The server says that nothing else has happened up to version 95. RealFIFO's consumer learns how
# new its cache is. DeltaFIFO does not handle versions.
bookmark 95
pop
----
RealFIFO
  popped Bookmark@95
    the consumer knows that its cache is the state at version 95
  queue []
  cache [web-1@4 web-3@91]
DeltaFIFO
  nothing to pop: a consumer would wait now
  queue []
  cache [web-1@4 web-3@91]
