# The server grants a watch, and ends it at once. Perhaps it will end every watch like that, so the
# reflector pauses before it does anything else.
create web-1 web-2
handler greeter
run
wait 2s
fault close
drop
----
reflector       2s  watching: ended → opening watch
                2s  watch from version 3
                2s  opening watch: opened → watching
                2s  watching: failed, back off → listing (EOF)
cache [web-1@2 web-2@3], synced: yes
handler greeter: synced: yes, waiting: 0

# Then it lists, and finds what it has missed.
update web-1 color=blue
delete web-2
wait 10s
----
reflector     2.8s  list at version "3"
              2.8s  listing: listed → opening watch
              2.8s  watch from version 5
              2.8s  opening watch: opened → watching
queue         2.8s  web-1: Replaced web-1@4
              2.8s  web-2: Deleted tombstone of web-2@3
process       2.8s  pop web-1: Replaced web-1@4
              2.8s  cache ~ web-1@4
              2.8s  pop web-2: Deleted tombstone of web-2@3
              2.8s  cache - web-2@3
greeter       2.8s  updated web-1@4 from version 2
              2.8s  deleted tombstone of web-2@3
cache [web-1@4], synced: yes
handler greeter: synced: yes, waiting: 0
