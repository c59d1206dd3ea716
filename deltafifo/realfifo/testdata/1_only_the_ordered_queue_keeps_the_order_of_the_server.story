# Both queues have worked off the first list. Then the watch reports two changes.
begin web-1@1 web-2@1
update web-1@2 web-2@3

# web-1 changes once more while it is queued. DeltaFIFO adds that to what is pending for the key, in
# front of web-2. RealFIFO puts it at the end, where it belongs in the server's history.
update web-1@4
----
DeltaFIFO [Updated web-1@2 + Updated web-1@4, Updated web-2@3], store [web-1@1 web-2@1]
RealFIFO  [Updated web-1@2, Updated web-2@3, Updated web-1@4], store [web-1@1 web-2@1]

# One Pop each. DeltaFIFO has brought its store to web-1@4 with web-2@1, a state that the server
# never had: at version 4, web-2 was at version 3 already. RealFIFO's store is the state at version
# 2. This is why client-go moved: a controller that has written version 3 can wait until its cache
# has reached it.
pop
----
DeltaFIFO delivers Updated web-1@2, Updated web-1@4
RealFIFO delivers Updated web-1@2
DeltaFIFO [Updated web-2@3], store [web-1@4 web-2@1]
RealFIFO  [Updated web-2@3, Updated web-1@4], store [web-1@2 web-2@1]

# The rest. In the end both stores are the same, as always.
pop 2
----
DeltaFIFO delivers Updated web-2@3
RealFIFO delivers Updated web-2@3
RealFIFO delivers Updated web-1@4
DeltaFIFO [], store [web-1@4 web-2@3]
RealFIFO  [], store [web-1@4 web-2@3]

# What DeltaFIFO ignores, RealFIFO delivers: the deletion of an object that neither has seen. Only
# the store can tell that it says nothing new.
delete web-9@5
----
DeltaFIFO [], store [web-1@4 web-2@3]
RealFIFO  [Deleted web-9@5], store [web-1@4 web-2@3]
