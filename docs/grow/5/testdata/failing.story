# The first handler takes three seconds for each object. A second one joins after two seconds.
create web-1 web-2
run slow=3s join=2s
----

wait 5s
----
first: added web-1@2

# web-1 is never told to the second handler. Everything else is, but three seconds late: first comes
# first.
update web-1
----

wait 1s
----
first: added web-2@3
second: added web-2@3

wait 2s
----

wait 10s
----
first: updated web-1@4
second: updated web-1@4
