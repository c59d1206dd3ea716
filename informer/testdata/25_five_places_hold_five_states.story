# A handler takes a minute for each call. It is in its call for web-1, which has just been created.
create web-1
handler greeter takes=1m
run

# web-1 changes, and the cache has it. The handler is still in its call for the first state.
update web-1 color=blue

# The process loop is held: the next change stays in the queue.
valve V2 held
update web-1 color=green

# The network is held: the change after that stays in the connection.
valve V1 held
update web-1 color=yellow

# web-1 changes once more. At this moment five places have five states of one object: the server, the
# connection, the queue, the cache and the handler. Each is one change behind the place before it.
update web-1 color=red
----
server          0s  MODIFIED web-1, version 6
cache [web-1@3], synced: yes
handler greeter: synced: no, waiting: 1

# Nothing is held any more, and all changes arrive, in their order.
valve V1 open
valve V2 open
wait 4m30s
----
greeter       1m0s  updated web-1@3 from version 2
              2m0s  updated web-1@4 from version 3
              3m0s  updated web-1@5 from version 4
              4m0s  updated web-1@6 from version 5
cache [web-1@6], synced: yes
handler greeter: synced: yes, waiting: 0
