# Two clients watch the same collection. One of them has said that it understands bookmarks.
create web-1
watch plain from=2
watch marked from=2 bookmarks=yes
----
objects [web-1@2], version 2
history since 1: [2]
plain knows 2, watching
marked knows 2, watching

# In the collection nothing happens, but elsewhere a lot does, and all resources share one counter.
elsewhere
elsewhere
elsewhere

# About once a minute, who wants to know is told how far the counter is. It is an event with an
# empty object and a version, and it says: there was nothing for you up to here.
wait 1m
----
marked     1m0s  BOOKMARK @5
objects [web-1@2], version 5
history since 1: [2]
plain knows 2, watching
marked knows 5, watching

# The streams end, as all streams do, and the server's history goes: one that restarts begins with
# none. Nothing has happened in the collection in all that time.
drop
compact
----
objects [web-1@2], version 5
history since 5: []
plain knows 2, not watching
marked knows 5, not watching

# And yet, for the first client it is a disaster. The only version it knows is gone, so it has to
# list everything again, a hundred thousand objects maybe, to find that all is as it was.
resume plain
----
plain      1m0s  ERROR 410: too old resource version: 2 (5)
           1m0s  the stream ends: EOF
objects [web-1@2], version 5
history since 5: []
plain knows 2, not watching
marked knows 5, not watching

# For the second one it is nothing: the version of the bookmark is good.
resume marked
create web-2
----
server     1m0s  ADDED web-2, version 6
marked     1m0s  ADDED web-2@6 red
objects [web-1@2 web-2@6], version 6
history since 5: [6]
plain knows 2, not watching
marked knows 6, watching
