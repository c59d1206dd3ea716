# The handler takes ten seconds for an object. As long as it works, nothing is read.
create web-1
run slow=10s
----

# Seventeen events come. The server keeps only so many for a watch that is not read, here eight. It
# ends the watch, and before the program asks again, the history is gone.
update web-1 times=15
create db-1
delete db-1
wait 5s
----

# Here is when it goes.
compact
----

# A list is all that is left. db-1 was there, and the handler never hears of it, nor of fourteen
# changes to web-1.
wait 20m
----
added web-1@2
once more: 410 Gone
updated web-1@17
