# Reading does not wait for the handler. What it reads waits in a queue.
create web-1
run slow=10s
----

# Seventeen events come, and are read.
update web-1 times=15
create db-1
delete db-1
wait 5s
----

# There is nothing that the program has not read.
compact
----

# The handler hears of everything, late. Nothing was merged: one object's changes are handled one
# after the other, and before those of an object that came later.
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
