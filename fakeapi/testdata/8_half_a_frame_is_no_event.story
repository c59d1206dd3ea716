# A client watches. Then the connection breaks in the middle of a frame.
create web-1
watch early from=2
fault cut
update web-1 color=blue
----
server       0s  MODIFIED web-1, version 3
             0s  fault: cut
early        0s  {"type":"MODIFIED","objec...
             0s  the stream ends: unexpected EOF
objects [web-1@3], version 3
history since 1: [2 3]
early knows 2, not watching

# The client has seen the beginning of an event and must not guess the rest. It knows version 2 and
# asks for what came after it, so nothing is lost.
resume early
----
early        0s  MODIFIED web-1@3 blue
objects [web-1@3], version 3
history since 1: [2 3]
early knows 3, watching

# A line of garbage is harder to judge. This client reads on after it, and this time nothing is
# missing. But the line could have been an event. A careful client does not trust the stream any
# longer, and begins again from the version that it knows.
fault garbage
delete web-1
----
server       0s  DELETED web-1, version 4
             0s  fault: garbage
early        0s  a line that is not JSON
             0s  DELETED web-1@4 blue
objects [], version 4
history since 1: [2 3 4]
early knows 4, watching
