# The program lists and watches as before.
create web-1
run
----
added web-1@2

# The program knows up to which version it has seen everything.
cut
----
trying again: the watch ended: unexpected EOF

# The server sends what came after that version. So nothing is missed.
create web-2
wait 1m
----
added web-2@3
