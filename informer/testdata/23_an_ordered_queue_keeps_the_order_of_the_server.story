# The queue is a RealFIFO, the ordered one. The informer has listed two widgets, and the process loop
# is held: what comes now stays in the queue.
informer queue=RealFIFO
create web-1 db-1
handler greeter
run
valve V2 held

# Each change takes its own place in the queue, in the order of the server.
update web-1 color=blue
update db-1 color=blue
update web-1 color=green

# The process loop goes on, and the handler is called in this order: web-1, db-1, web-1. A DeltaFIFO
# would have taken web-1 out with both of its changes first. A batch holds each key once, so the second
# change of web-1 comes in the next one.
valve V2 open
----
process         0s  pop Updated web-1@4, Updated db-1@5
                0s  cache ~ web-1@4
                0s  cache ~ db-1@5
                0s  pop Updated web-1@6
                0s  cache ~ web-1@6
greeter         0s  updated web-1@4 from version 2
                0s  updated db-1@5 from version 3
                0s  updated web-1@6 from version 4
cache [db-1@5 web-1@6], synced: yes
handler greeter: synced: yes, waiting: 0
