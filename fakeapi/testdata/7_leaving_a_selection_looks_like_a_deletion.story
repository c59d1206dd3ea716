# This client watches what is red, and nothing red is there.
create web-1 color=blue
watch reds from=2 where=spec.color=red
----
objects [web-1@2], version 2
history since 1: [2]
reds knows 2, watching

# A blue widget turns red. For the server it is modified. For the client it has not been there
# before, so it is told ADDED.
update web-1 color=red
----
server       0s  MODIFIED web-1, version 3
reds         0s  ADDED web-1@3 red
objects [web-1@3], version 3
history since 1: [2 3]
reds knows 3, watching

# It grows, and stays red. What was selected and still is has been modified.
update web-1 size=xl
----
server       0s  MODIFIED web-1, version 4
reds         0s  MODIFIED web-1@4 red
objects [web-1@4], version 4
history since 1: [2 3 4]
reds knows 4, watching

# It turns green. For the client it is gone: DELETED, with the object as it was when it was last
# red, but with the version of the write that took it away, from which a watch can go on.
update web-1 color=green
----
server       0s  MODIFIED web-1, version 5
reds         0s  DELETED web-1@5 red
objects [web-1@5], version 5
history since 1: [2 3 4 5]
reds knows 5, watching

# What happens to it now is none of the client's business ...
update web-1 color=blue
----
server       0s  MODIFIED web-1, version 6
objects [web-1@6], version 6
history since 1: [2 3 4 5 6]
reds knows 5, watching

# ... not even its end.
delete web-1
----
server       0s  DELETED web-1, version 7
objects [], version 7
history since 1: [2 3 4 5 6 7]
reds knows 5, watching
