# This reflector closes a watch after thirty seconds without an event or a bookmark. It has listed,
# and a watch is open.
start list-first idle=30s
list web-1@5 rv=7
grant

# After twenty seconds the server sends a bookmark. No object has changed, but the connection works.
wait 20s
send BOOKMARK 9
----
events       20s  BOOKMARK @9
store   [web-1@5] version "9"

# Then the network fails in a way that closes no connection, and nothing arrives any more. After
# thirty seconds of silence the reflector closes the watch, and asks for one from version 9. Without
# an idle timeout it could wait forever, and the store would become stale without an error.
wait 30s
----
asks         50s  watch resourceVersion=9
machine      50s  watching: ended → opening watch
errors       50s  watching: watch is idle: no event, bookmark or end within the idle timeout
store   [web-1@5] version "9"

# The next watch is granted, and what happened in the meantime arrives.
grant
send ADDED web-2@12
----
events       50s  ADDED web-2@12
store   [web-1@5 web-2@12] version "12"
