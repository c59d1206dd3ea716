# The informer has listed web-1 and is watching.
create web-1
handler greeter
run
wait 2s

# The next frame breaks off in its middle: the connection ends after half of it. Half a frame is no
# event. The reflector has seen version 2, so it watches again from version 2, without a list. The
# server sends the frame once more, whole.
cut
update web-1 color=blue
----
server          2s  MODIFIED web-1, version 3
reflector       2s  watching: ended → opening watch (unexpected EOF)
                2s  watch from version 2
                2s  opening watch: opened → watching
                2s  MODIFIED web-1@3
queue           2s  web-1: Updated web-1@3
process         2s  pop web-1: Updated web-1@3
                2s  cache ~ web-1@3
greeter         2s  updated web-1@3 from version 2
cache [web-1@3], synced: yes
handler greeter: synced: yes, waiting: 0
