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

# Meanwhile web-2 is deleted and web-3 is created, and the server forgets its history, as a real one
# does after a while. After "410 Gone" the program lists. The list does not name web-2, so web-2
# stays known forever.
delete web-2
create web-3
compact
wait 1m
----
trying again: 410 Gone
added web-3@5
