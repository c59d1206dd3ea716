# The program knows two objects when the connection breaks.
create web-1 web-2
run
----
added web-1@2
added web-2@3

# The next attempt is a second away.
cut
----
trying again: the watch ended: unexpected EOF

# web-2 is known, and missing from the list. So it was deleted, at an unknown time and in an unknown
# state. The handler gets the last state that was seen.
delete web-2
create web-3
compact
wait 1m
----
trying again: 410 Gone
added web-3@5
deleted web-2@3
