# Two queues are told the same. Two objects are stored. A relist returns web-1 alone, and then the
# watch reports web-3. DeltaFIFO has found the deletion of web-2 at once, by comparing the list with
# its consumer's store and with what is queued. RealFIFO has only noted the list.
begin web-1@4 web-2@3
relist web-1@4
add web-3@91
----
DeltaFIFO [Replaced web-1@4, Deleted tombstone of web-2, Added web-3@91], store [web-1@4 web-2@3]
RealFIFO  [ReplacedAll@90 [web-1@4], Added web-3@91], store [web-1@4 web-2@3]

# When the list is popped, the consumer of RealFIFO compares it with its store. By then everything
# that came before the list is in the store, and nothing that came after it.
pop
----
DeltaFIFO delivers Replaced web-1@4
RealFIFO delivers ReplacedAll@90 [web-1@4]
  and its consumer finds web-2 deleted
DeltaFIFO [Deleted tombstone of web-2, Added web-3@91], store [web-1@4 web-2@3]
RealFIFO  [Added web-3@91], store [web-1@4]

# DeltaFIFO delivers the deletion in a place of its own, after the object that was listed.
pop 2
----
DeltaFIFO delivers Deleted tombstone of web-2
RealFIFO delivers Added web-3@91
DeltaFIFO delivers Added web-3@91
DeltaFIFO [], store [web-1@4 web-3@91]
RealFIFO  [], store [web-1@4 web-3@91]

# A resync. DeltaFIFO queues each object that the store holds. RealFIFO queues one request: its
# consumer will look at what its store holds when that is popped.
resync
----
DeltaFIFO [Sync web-1@4, Sync web-3@91], store [web-1@4 web-3@91]
RealFIFO  [SyncAll], store [web-1@4 web-3@91]

# Both consumers look at the same objects.
pop 2
----
DeltaFIFO delivers Sync web-1@4
RealFIFO delivers SyncAll
  and its consumer looks at [web-1@4 web-3@91]
DeltaFIFO delivers Sync web-3@91
DeltaFIFO [], store [web-1@4 web-3@91]
RealFIFO  [], store [web-1@4 web-3@91]

# The server says that nothing has happened up to version 95. RealFIFO's consumer learns how new its
# store is. DeltaFIFO has nothing to do with versions.
bookmark 95
pop
----
RealFIFO delivers Bookmark@95
  and its consumer knows that its store is the state at version 95
DeltaFIFO [], store [web-1@4 web-3@91]
RealFIFO  [], store [web-1@4 web-3@91]
