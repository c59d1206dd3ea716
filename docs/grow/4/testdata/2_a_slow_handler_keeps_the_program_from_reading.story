# The handler takes ten seconds for an object. The program has listed, and calls it before it watches.
create web-1
run slow=10s
----

# Seventeen changes happen. The program does not ask for them yet.
update web-1 times=15
create db-1
delete db-1
wait 5s
----

# The server forgets its history.
compact
----

# The watch gets 410, and the program lists again. The handler never hears of db-1, nor of fourteen
# changes to web-1.
wait 20m
----
added web-1@2
trying again: 410 Gone
updated web-1@17
