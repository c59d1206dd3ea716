# The server has granted the watch, so it can only say inside the stream that it has failed.
create web-1 web-2
handler greeter
run
wait 2s
fault error code=500
update web-1 color=blue
----
server          2s  MODIFIED web-1, version 4
reflector       2s  watching: failed, back off → listing (500 injected fault: 500)
cache [web-1@2 web-2@3], synced: yes
handler greeter: synced: yes, waiting: 0

# What was to come in the stream is not known, so the reflector lists.
wait 10s
----
reflector     2.8s  list at version "3"
              2.8s  listing: listed → opening watch
              2.8s  watch from version 4
              2.8s  opening watch: opened → watching
queue         2.8s  web-1: Replaced web-1@4
              2.8s  web-2: Replaced web-2@3
process       2.8s  pop web-1: Replaced web-1@4
              2.8s  cache ~ web-1@4
              2.8s  pop web-2: Replaced web-2@3
              2.8s  cache ~ web-2@3
greeter       2.8s  updated web-1@4 from version 2
              2.8s  updated web-2@3 from version 3
cache [web-1@4 web-2@3], synced: yes
handler greeter: synced: yes, waiting: 0
