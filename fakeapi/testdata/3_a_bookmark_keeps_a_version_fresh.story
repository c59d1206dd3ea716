# Two clients watch the same collection. One of them has asked for bookmarks.
create web-1
watch plain from=2
watch marked from=2 bookmarks=yes
----
objects [web-1@2], version 2
history since 1: [2]
plain knows 2, watching
marked knows 2, watching

# Nothing happens in the collection. Three writes to another resource move the counter, which all
# resources share.
elsewhere
elsewhere
elsewhere

# After a minute the client that has asked for bookmarks gets one: an event with an empty object and
# a version. It says that up to this version there are no other events for this client.
wait 1m
----
marked     1m0s  BOOKMARK @5
objects [web-1@2], version 5
history since 1: [2]
plain knows 2, watching
marked knows 5, watching

# The server ends the streams and forgets its history, as when it is restarted. In the collection
# nothing has happened.
drop
compact
----
objects [web-1@2], version 5
history since 5: []
plain knows 2, not watching
marked knows 5, not watching

# The first client knows only version 2, which is too old now. It has to list the whole collection
# again, only to find that nothing has changed.
resume plain
----
plain      1m0s  ERROR 410: too old resource version: 2 (5)
           1m0s  the stream ends: EOF
objects [web-1@2], version 5
history since 5: []
plain knows 2, not watching
marked knows 5, not watching

# The second client knows version 5, from the bookmark. Its watch goes on, and it gets what comes
# next.
resume marked
create web-2
----
server     1m0s  ADDED web-2, version 6
marked     1m0s  ADDED web-2@6 red
objects [web-1@2 web-2@6], version 6
history since 5: [6]
plain knows 2, not watching
marked knows 6, watching
