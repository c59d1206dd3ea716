# This server remembers 1,536 bytes of events. A creation counts as 512, so these are three. Three
# objects are created, and a client watches from before the first.
remember 1536
create web-1 web-2 web-3
watch early from=1
----
early        0s  ADDED web-1@2 red
             0s  ADDED web-2@3 red
             0s  ADDED web-3@4 red
objects [web-1@2 web-2@3 web-3@4], version 4
history since 1: [2 3 4]
early knows 4, watching

# With a fourth event the first one is forgotten. The client that is watching does not notice.
create web-4
----
server       0s  ADDED web-4, version 5
early        0s  ADDED web-4@5 red
objects [web-1@2 web-2@3 web-3@4 web-4@5], version 5
history since 2: [3 4 5]
early knows 5, watching

# A new client can no longer begin from 1. The server says so inside the stream: the answer is HTTP
# 200, and its only event is an ERROR with a Status of 410. A client that looks only at the HTTP
# status would take this for a watch that ended early, and ask for the same again, forever.
watch late from=1
----
late         0s  ERROR 410: too old resource version: 1 (2)
             0s  the stream ends: EOF
objects [web-1@2 web-2@3 web-3@4 web-4@5], version 5
history since 2: [3 4 5]
early knows 5, watching
late knows 1, not watching

# From 2 on everything is remembered, so this client gets its events.
watch lucky from=2
----
lucky        0s  ADDED web-2@3 red
             0s  ADDED web-3@4 red
             0s  ADDED web-4@5 red
objects [web-1@2 web-2@3 web-3@4 web-4@5], version 5
history since 2: [3 4 5]
early knows 5, watching
late knows 1, not watching
lucky knows 5, watching

# The server drops its whole history. Watches that are open go on.
compact
----
objects [web-1@2 web-2@3 web-3@4 web-4@5], version 5
history since 5: []
early knows 5, watching
late knows 1, not watching
lucky knows 5, watching

# web-5 is created. From now on a watch can begin at 5, the version of the compaction, but not at 4.
create web-5
watch later from=4
watch latest from=5
----
latest       0s  ADDED web-5@6 red
objects [web-1@2 web-2@3 web-3@4 web-4@5 web-5@6], version 6
history since 5: [6]
early knows 6, watching
late knows 1, not watching
lucky knows 6, watching
later knows 4, not watching
latest knows 6, watching

# After six minutes the event is too old: it is forgotten. The watches have ended.
wait 6m
----
early      5m0s  the stream ends: EOF
latest     5m0s  the stream ends: EOF
lucky      5m0s  the stream ends: EOF
objects [web-1@2 web-2@3 web-3@4 web-4@5 web-5@6], version 6
history since 6: []
early knows 6, not watching
late knows 1, not watching
lucky knows 6, not watching
later knows 4, not watching
latest knows 6, not watching

# So there is no exact list of version 5 any more.
list at=5 match=Exact
----
list: HTTP 410 after 0s: The resourceVersion for the provided list is too old....
objects [web-1@2 web-2@3 web-3@4 web-4@5 web-5@6], version 6
history since 6: []
early knows 6, not watching
late knows 1, not watching
lucky knows 6, not watching
later knows 4, not watching
latest knows 6, not watching
