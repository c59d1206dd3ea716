# Two objects are known when the connection breaks.
create web-1 web-2
run
----
added web-1@2
added web-2@3

# The next attempt is a second away.
cut
----
once more: the watch is over: unexpected EOF

# web-2 is known and not in the list. So it has been deleted, at an unknown time and in an unknown
# state. The handler gets the state that was seen last.
delete web-2
create web-3
compact
wait 1m
----
once more: 410 Gone
added web-3@5
deleted web-2@3
