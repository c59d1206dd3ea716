# The list is asked for every second, and compared with the one before.
create web-1
run
----
added web-1@2

# web-1 changes three times within a second, and db-1 comes and goes.
update web-1 times=3
----

# Nothing is printed, because nothing is asked.
create db-1
delete db-1
----

# The next list shows only that web-1 is not what it was. That it changed three times, and that there
# was a db-1, is lost.
wait 1s
----
updated web-1@5

# Ten minutes without any change cost 600 lists, here of one object, elsewhere of a thousand.
wait 10m
cost
----
602 requests, 5659 KB
