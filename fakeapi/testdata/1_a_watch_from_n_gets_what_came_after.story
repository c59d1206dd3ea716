# A server has one counter. Each write, to any resource, takes the next number, and an object
# carries the number of its last write: its resourceVersion. A list says at which number it was
# taken.
create web-1 web-2
list
----
list: version 3: [web-1@2 red web-2@3 red]
objects [web-1@2 web-2@3], version 3
history since 1: [2 3]

# A client watches from the version of the list. It gets each write after 3 as it happens.
watch early from=3
update web-1 color=blue
----
server       0s  MODIFIED web-1, version 4
early        0s  MODIFIED web-1@4 blue
objects [web-1@4 web-2@3], version 4
history since 1: [2 3 4]
early knows 4, watching

# web-2 is deleted, and another client watches from 3. It gets exactly the same events, because the
# server remembers them. This is why list, then watch, loses nothing, as long as the server still
# remembers the events between the two.
delete web-2
watch late from=3
----
late         0s  MODIFIED web-1@4 blue
             0s  DELETED web-2@5 red
objects [web-1@4], version 5
history since 1: [2 3 4 5]
early knows 5, watching
late knows 5, watching

# A watch may begin at any version that is remembered. This one asks for the events after 2.
watch earlier from=2
----
earlier       0s  ADDED web-2@3 red
              0s  MODIFIED web-1@4 blue
              0s  DELETED web-2@5 red
objects [web-1@4], version 5
history since 1: [2 3 4 5]
early knows 5, watching
late knows 5, watching
earlier knows 5, watching

# A watch without a number begins with the present objects: an ADDED event for each. The events come
# in the order of names, not of versions, and deleted objects are not among them.
watch anew
----
anew          0s  ADDED web-1@4 blue
objects [web-1@4], version 5
history since 1: [2 3 4 5]
early knows 5, watching
late knows 5, watching
earlier knows 5, watching
anew knows 4, watching
