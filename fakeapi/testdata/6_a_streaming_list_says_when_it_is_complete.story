create web-2 web-1

# A watch without a version begins with what is there, but never says where that ends. Is this all?
# A client that must know, before it forgets what it no longer sees, cannot tell. It cannot even
# tell which version it is at: the versions come in the order of names.
watch plain
----
plain        0s  ADDED web-1@3 red
             0s  ADDED web-2@2 red
objects [web-1@3 web-2@2], version 3
history since 1: [2 3]
plain knows 2, watching

# So it can ask for initial events, and for bookmarks. A bookmark with an annotation stands behind
# the last of them. Its version is that of the whole, as a list would have it: this is a list, one
# object at a time, and a watch that begins where it ends.
watch streaming streaming=yes
----
streaming       0s  ADDED web-1@3 red
                0s  ADDED web-2@2 red
                0s  BOOKMARK @3, the initial events end here
objects [web-1@3 web-2@2], version 3
history since 1: [2 3]
plain knows 2, watching
streaming knows 3, watching

# From here on it is a watch as any other.
delete web-2
----
server          0s  DELETED web-2, version 4
plain           0s  DELETED web-2@4 red
streaming       0s  DELETED web-2@4 red
objects [web-1@3], version 4
history since 1: [2 3 4]
plain knows 4, watching
streaming knows 4, watching

# A server that withholds this one event makes clients wait that need it. Many proxies and servers
# have: everything has come, the list is complete, and nobody knows.
fault no-initial-end
watch hanging streaming=yes
----
server          0s  fault: no-initial-end
hanging         0s  ADDED web-1@3 red
objects [web-1@3], version 4
history since 1: [2 3 4]
plain knows 4, watching
streaming knows 4, watching
hanging knows 3, watching
