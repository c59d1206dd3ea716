# This client watches red widgets only. The one widget that exists is blue.
create web-1 color=blue
watch reds from=2 where=spec.color=red
----
objects [web-1@2], version 2
history since 1: [2]
reds knows 2, watching

# The widget turns red. The server has modified an object. The client has not seen it before, so its
# event is ADDED.
update web-1 color=red
----
server       0s  MODIFIED web-1, version 3
reds         0s  ADDED web-1@3 red
objects [web-1@3], version 3
history since 1: [2 3]
reds knows 3, watching

# The widget grows and stays red. It was selected and still is: MODIFIED.
update web-1 size=xl
----
server       0s  MODIFIED web-1, version 4
reds         0s  MODIFIED web-1@4 red
objects [web-1@4], version 4
history since 1: [2 3 4]
reds knows 4, watching

# The widget turns green, and the client gets DELETED. The event has the object as it was when it
# was last red, but with the version of the write that made it green, so that a watch can go on from
# there.
update web-1 color=green
----
server       0s  MODIFIED web-1, version 5
reds         0s  DELETED web-1@5 red
objects [web-1@5], version 5
history since 1: [2 3 4 5]
reds knows 5, watching

# The widget is not red, so the client gets no event for its next change.
update web-1 color=blue
----
server       0s  MODIFIED web-1, version 6
objects [web-1@6], version 6
history since 1: [2 3 4 5 6]
reds knows 5, watching

# It gets no event for the real deletion either.
delete web-1
----
server       0s  DELETED web-1, version 7
objects [], version 7
history since 1: [2 3 4 5 6 7]
reds knows 5, watching
