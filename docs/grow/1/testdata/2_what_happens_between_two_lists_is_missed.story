# The program asks for the list every second, and compares it with the one before.
create web-1
run
----
added web-1@2

# web-1 changes three times within a second, and db-1 is created and deleted.
update web-1 times=3
----

# Nothing is printed before the next list.
create db-1
delete db-1
----

# The next list shows only that web-1 has changed. It does not show that it changed three times, or
# that db-1 existed.
wait 1s
----
updated web-1@5

# Ten minutes without any change cost 600 lists. Each holds one large object (9 KB).
wait 10m
cost
----
602 requests, 5659 KB
