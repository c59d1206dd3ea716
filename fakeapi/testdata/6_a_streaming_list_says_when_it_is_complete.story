# A watch without a version begins with the present objects, but it does not say which is the last.
# This client cannot tell whether it has everything, nor which version its objects show together,
# because they come in the order of their names.
create web-2 web-1
watch plain
----
plain        0s  ADDED web-1@3 red
             0s  ADDED web-2@2 red
objects [web-1@3 web-2@2], version 3
history since 1: [2 3]
plain knows 2, watching

# This client asks for initial events and for bookmarks. After the last initial event comes a
# bookmark with an annotation, and with the version that a list would have had. So this is a list,
# one object at a time, and a watch that begins where the list ends.
watch streaming streaming=yes
----
streaming       0s  ADDED web-1@3 red
                0s  ADDED web-2@2 red
                0s  BOOKMARK @3, the initial events end here
objects [web-1@3 web-2@2], version 3
history since 1: [2 3]
plain knows 2, watching
streaming knows 3, watching

# From here on it is a watch like any other.
delete web-2
----
server          0s  DELETED web-2, version 4
plain           0s  DELETED web-2@4 red
streaming       0s  DELETED web-2@4 red
objects [web-1@3], version 4
history since 1: [2 3 4]
plain knows 4, watching
streaming knows 4, watching

# If this one bookmark is lost, the client waits for it. It has received everything and cannot know
# that. A reflector that streams its lists must therefore have a timeout of its own, and send a list
# request if the bookmark does not come.
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
