# Two queues get the same events. Two objects are stored. A relist returns web-1 alone, and then the
# watch reports web-3. DeltaFIFO has already found the deletion of web-2, by comparing the list with
# its consumer's cache and with what is queued. RealFIFO has only queued the list.
begin web-1@4 web-2@3
relist web-1@4
add web-3@91
----
DeltaFIFO [web-1 Replaced@4, web-2 Deleted@unknown, web-3 Added@91], cache [web-1@4 web-2@3]
RealFIFO  [ReplacedAll@90 [web-1@4], web-3 Added@91], cache [web-1@4 web-2@3]

# When the list is popped, the consumer of RealFIFO compares it with its cache. By then the cache
# holds everything that came before the list, and nothing that came after it.
pop
----
DeltaFIFO delivers web-1 Replaced@4
RealFIFO delivers ReplacedAll@90 [web-1@4]
  and its consumer finds web-2 deleted
DeltaFIFO [web-2 Deleted@unknown, web-3 Added@91], cache [web-1@4 web-2@3]
RealFIFO  [web-3 Added@91], cache [web-1@4]

# DeltaFIFO delivers the deletion separately, after the object that was listed.
pop 2
----
DeltaFIFO delivers web-2 Deleted@unknown
RealFIFO delivers web-3 Added@91
DeltaFIFO delivers web-3 Added@91
DeltaFIFO [], cache [web-1@4 web-3@91]
RealFIFO  [], cache [web-1@4 web-3@91]

# The reflector asks for a resync. DeltaFIFO queues each object that the cache holds. RealFIFO
# queues one delta: when it is popped, the consumer looks at what its cache holds by then.
resync
----
DeltaFIFO [web-1 Sync@4, web-3 Sync@91], cache [web-1@4 web-3@91]
RealFIFO  [SyncAll], cache [web-1@4 web-3@91]

# Both consumers look at the same objects.
pop 2
----
DeltaFIFO delivers web-1 Sync@4
RealFIFO delivers SyncAll
  and its consumer looks at [web-1@4 web-3@91]
DeltaFIFO delivers web-3 Sync@91
DeltaFIFO [], cache [web-1@4 web-3@91]
RealFIFO  [], cache [web-1@4 web-3@91]

# The server says that nothing else has happened up to version 95. RealFIFO's consumer learns how
# new its cache is. DeltaFIFO does not handle versions.
bookmark 95
pop
----
RealFIFO delivers Bookmark@95
  and its consumer knows that its cache is the state at version 95
DeltaFIFO [], cache [web-1@4 web-3@91]
RealFIFO  [], cache [web-1@4 web-3@91]
