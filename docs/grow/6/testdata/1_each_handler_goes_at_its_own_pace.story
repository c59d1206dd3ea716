# The first handler is as slow as before.
create web-1 web-2
run slow=3s join=2s
----

# The second handler is told of both objects when it joins.
wait 5s
----
second: added web-1@2
second: added web-2@3
first: added web-1@2

# It hears of the change at once. The first handler is still at work on web-2.
update web-1
----
second: updated web-1@4

# The first handler goes on at its own pace.
wait 1s
----
first: added web-2@3

# It works on the change.
wait 2s
----

# Three seconds after web-2 the update is done.
wait 10s
----
first: updated web-1@4
