create web-1
watch early from=2 timeout=60

# The server's machine loses its power, in a manner of speaking: the connection is open and nothing
# comes over it any more.
fault silence
update web-1 color=blue
----
server       0s  MODIFIED web-1, version 3
             0s  fault: silence
objects [web-1@3], version 3
history since 1: [2 3]
early knows 2, watching

# An hour later, to the client it still looks like a collection in which nothing happens. The watch
# should have ended after a minute, but who should end it? Only a client with a clock of its own
# finds out.
wait 1h
----
objects [web-1@3], version 3
history since 1: [2 3]
early knows 2, watching

# For all others it goes on as before.
watch late from=2
----
late     1h0m0s  MODIFIED web-1@3 blue
objects [web-1@3], version 3
history since 1: [2 3]
early knows 2, watching
late knows 3, watching
