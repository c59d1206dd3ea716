# This server remembers events for five minutes, but it does not check their age while nothing is
# written. After six minutes a watch from version 1 still gets its event.
create web-1
wait 6m
watch early from=1
----
early      6m0s  ADDED web-1@2 red
objects [web-1@2], version 2
history since 1: [2]
early knows 2, watching

# For an exact list of version 1 the server checks the age: the version is too old.
list at=1 match=Exact
----
list: HTTP 410 after 0s: The resourceVersion for the provided list is too old....
objects [web-1@2], version 2
history since 2: []
early knows 2, watching

# From now on version 1 is too old for a watch as well. The watch that was open goes on.
watch late from=1
update web-1 color=blue
----
server     6m0s  MODIFIED web-1, version 3
early      6m0s  MODIFIED web-1@3 blue
objects [web-1@3], version 3
history since 2: [3]
early knows 3, watching
late knows 1, not watching
