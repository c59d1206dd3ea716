# Two queues get the same events. Both consumers have stored the first list, and then the watch
# reports three changes: of web-1, of web-2, and of web-1 again. DeltaFIFO adds the third to what
# waits for its key, which is before web-2. RealFIFO puts it at the end, where it belongs in the
# server's history.
beside realfifo
begin web-1@1 web-2@1
update web-1@2 web-2@3
update web-1@4
----
RealFIFO
  queue [web-1 Updated@2, web-2 Updated@3, web-1 Updated@4]
  cache [web-1@1 web-2@1]
DeltaFIFO
  queue [web-1 web-2]
    web-1: Updated@2 Updated@4
    web-2: Updated@3
  cache [web-1@1 web-2@1]

# Each consumer calls Pop once. The cache behind DeltaFIFO now has web-1@4 with web-2@1, a state
# that the server never had: at version 4, web-2 was at version 3 already. The cache behind RealFIFO
# is the state at version 2. The server had this state, so it has a version: a controller
# that has written version 3 can wait until its cache is at 3.
pop
----
RealFIFO
  popped web-1 Updated@2
  queue [web-2 Updated@3, web-1 Updated@4]
  cache [web-1@2 web-2@1]
DeltaFIFO
  popped web-1: Updated@2 Updated@4
  queue [web-2]
    web-2: Updated@3
  cache [web-1@4 web-2@1]

# The consumers take the rest. In the end both caches are the same.
drain
----
RealFIFO
  popped web-2 Updated@3
  popped web-1 Updated@4
  queue []
  cache [web-1@4 web-2@3]
DeltaFIFO
  popped web-2: Updated@3
  queue []
  cache [web-1@4 web-2@3]

# DeltaFIFO ignores the deletion of an object that neither queue has seen. RealFIFO queues it, and
# its consumer has to find out that there is nothing to delete.
delete web-9@5
----
RealFIFO
  queue [web-9 Deleted@5]
  cache [web-1@4 web-2@3]
DeltaFIFO
  ignored web-9: Deleted@5
  queue []
  cache [web-1@4 web-2@3]
