# A client watches, and asks the server to end the watch after a minute. Then the server falls
# silent, as when its machine loses power: the connection stays open and nothing comes over it.
create web-1
watch early from=2 timeout=60
fault silence
update web-1 color=blue
----
server       0s  MODIFIED web-1, version 3
             0s  fault: silence
objects [web-1@3], version 3
history since 1: [2 3]
early knows 2, watching

# An hour later it still looks to the client as if nothing had happened. The server should have
# ended the watch after a minute, and cannot. Only a client with a timeout of its own notices.
wait 1h
----
objects [web-1@3], version 3
history since 3: []
early knows 2, watching

# Other clients are served as before.
watch late from=2
----
late     1h0m0s  ERROR 410: too old resource version: 2 (3)
         1h0m0s  the stream ends: EOF
objects [web-1@3], version 3
history since 3: []
early knows 2, watching
late knows 2, not watching
