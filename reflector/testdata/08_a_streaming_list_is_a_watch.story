# By default a reflector streams its lists: it asks for a watch that begins with everything there
# is.
start
----
asks          0s  watch resourceVersionMatch=NotOlderThan&sendInitialEvents=true
store   [] version ""

# The server grants it. Objects arrive one by one, in no particular order of versions. The store
# gets nothing yet: from half of a collection it would conclude that the other half was deleted.
grant
send ADDED web-1@5
----
events        0s  ADDED web-1@5
store   [] version ""

# The second object is older than the first, so no watch can begin at its version. None is recorded.
send ADDED web-2@3
----
events        0s  ADDED web-2@3
store   [] version ""

# A bookmark with an annotation says that this was everything, as of 7. Now the store gets it in one
# go, and the same stream goes on as a watch. There was no list and no second request.
send BOOKMARK 7 initial-events-end
----
events        0s  BOOKMARK @7 initial-events-end
machine       0s  streaming: streamed → watching
store   [web-1@5 web-2@3] version "7"

# From here on events come in order, and each reaches the store at once.
send DELETED web-1@8
----
events        0s  DELETED web-1@8
store   [web-2@3] version "8"
