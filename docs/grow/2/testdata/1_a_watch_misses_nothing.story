# One list, and then a watch.
create web-1
run
----
added web-1@2

# The server sends each change at once.
update web-1 times=3
----
updated web-1@3
updated web-1@4
updated web-1@5

# It sends that db-1 was created.
create db-1
----
added db-1@6

# It sends that db-1 was deleted.
delete db-1
----
deleted db-1@7

# No list is needed.
wait 1s
----

# Ten minutes without any change cost nothing.
wait 10m
cost
----
2 requests, 55 KB
