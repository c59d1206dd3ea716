# A server has one counter. Each write, of whatever resource, takes the next number, and an object
# carries the number of its last write. A list tells at which number it was taken.
create web-1 web-2
list
----
list: version 3: [web-1@2 red web-2@3 red]
objects [web-1@2 web-2@3], version 3
history since 1: [2 3]

# From there on a watch continues. It gets what is written after 3, as it is written.
watch early from=3
update web-1 color=blue
----
server       0s  MODIFIED web-1, version 4
early        0s  MODIFIED web-1@4 blue
objects [web-1@4 web-2@3], version 4
history since 1: [2 3 4]
early knows 4, watching

delete web-2

# A watch that begins later, from the same number, gets exactly the same: the server remembers its
# events. This is why list, then watch, loses nothing, however long the time between the two is.
watch late from=3
----
late         0s  MODIFIED web-1@4 blue
             0s  DELETED web-2@5 red
objects [web-1@4], version 5
history since 1: [2 3 4 5]
early knows 5, watching
late knows 5, watching

# A watch may begin anywhere in what is remembered. This one asks for what came after 2.
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

# Without a number it begins with what is there, in the shape of ADDED events. They are in order of
# names, not of versions, and no deletion is among them: what is gone is gone.
watch anew
----
anew          0s  ADDED web-1@4 blue
objects [web-1@4], version 5
history since 1: [2 3 4 5]
early knows 5, watching
late knows 5, watching
earlier knows 5, watching
anew knows 4, watching
