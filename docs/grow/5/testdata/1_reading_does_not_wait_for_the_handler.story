# Reading does not wait for the handler. The events wait in a queue.
create web-1
run slow=10s
----

# Seventeen events come, and are read.
update web-1 times=15
create db-1
delete db-1
wait 5s
----

# The server forgets its history. The program has read all of it.
compact
----

# The handler hears of everything, late. No changes were merged. Those of web-1 come first, because
# web-1 was queued first.
wait 20m
----
first: added web-1@2
first: updated web-1@3
first: updated web-1@4
first: updated web-1@5
first: updated web-1@6
first: updated web-1@7
first: updated web-1@8
first: updated web-1@9
first: updated web-1@10
first: updated web-1@11
first: updated web-1@12
first: updated web-1@13
first: updated web-1@14
first: updated web-1@15
first: updated web-1@16
first: updated web-1@17
first: added db-1@18
first: deleted db-1@19
