# A watch needs a connection.
create web-1
run
----
added web-1@2

# Connections do not last: proxies, restarts and the server's own time limit end them. Then this
# program ends, too.
cut
----
the program ends: the watch ended: unexpected EOF

# So web-2 is not seen.
create web-2
wait 1m
----
