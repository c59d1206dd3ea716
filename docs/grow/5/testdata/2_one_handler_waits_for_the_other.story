# The first handler takes three seconds for each object. A second one joins after two seconds.
create web-1 web-2
run slow=3s join=2s
----

# The second handler has joined, and is not called yet: the first one is at work.
wait 5s
----
first: added web-1@2

# web-1 changes. The first handler is at work on web-2.
update web-1
----

# The first handler returns. Only now is the second one called.
wait 1s
----
first: added web-2@3
second: added web-2@3

# The change waits behind the first handler again.
wait 2s
----

# The second handler hears of it when the first has finished. It never heard of web-1 at version 2.
wait 10s
----
first: updated web-1@4
second: updated web-1@4
