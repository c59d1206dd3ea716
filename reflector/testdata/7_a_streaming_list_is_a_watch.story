# A streaming list asks for a watch that begins with everything there is.
start
----
asks          0s  watch resourceVersionMatch=NotOlderThan&sendInitialEvents=true
store   [] version ""

grant

# Objects arrive one by one, in no particular order of versions. The store learns nothing yet: half
# a collection would look as if the other half had been deleted.
send ADDED web-1@5
----
events        0s  ADDED web-1@5
store   [] version ""

# The second is older than the first. So its version is no place to go on from, and none is noted.
send ADDED web-2@3
----
events        0s  ADDED web-2@3
store   [] version ""

# A bookmark with an annotation says: that was everything, as of 7. Now the store gets it at once,
# and the same stream goes on as an ordinary watch. There was no list and no second request.
send BOOKMARK 7 initial-events-end
----
events        0s  BOOKMARK @7 initial-events-end
machine       0s  streaming: streamed → watching
store   [web-1@5 web-2@3] version "7"

# From here on events come in order, and each reaches the store by itself.
send DELETED web-1@8
----
events        0s  DELETED web-1@8
store   [web-2@3] version "8"
