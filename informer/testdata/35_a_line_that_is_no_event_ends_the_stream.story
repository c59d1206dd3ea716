# A line of the stream is not JSON. All that follows it is in doubt, so the reflector closes the
# stream.
create web-1 web-2
handler greeter
run
wait 2s
fault garbage
update web-1 color=blue
----
server          2s  MODIFIED web-1, version 4
reflector       2s  watching: failed, back off → listing (unexpected end of JSON input)
cache [web-1@2 web-2@3], synced: yes
handler greeter: synced: yes, waiting: 0

# After a pause it lists.
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
