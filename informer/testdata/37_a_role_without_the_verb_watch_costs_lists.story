# A role allows the program to list and not to watch. Each watch is refused with 403, and a list
# follows after a pause that grows.
create web-1 web-2
handler greeter
fault status verb=watch code=403 count=-1
run
wait 5s
----
reflector    800ms  list at version "3"
             800ms  listing: listed → opening watch
             800ms  watch from version 3
             800ms  opening watch: failed, back off → listing (403 injected fault: 403)
              2.4s  list at version "3"
              2.4s  listing: listed → opening watch
              2.4s  watch from version 3
              2.4s  opening watch: failed, back off → listing (403 injected fault: 403)
queue        800ms  web-1: Replaced web-1@2
             800ms  web-2: Replaced web-2@3
              2.4s  web-1: Replaced web-1@2
              2.4s  web-2: Replaced web-2@3
process      800ms  pop web-1: Replaced web-1@2
             800ms  cache ~ web-1@2
             800ms  pop web-2: Replaced web-2@3
             800ms  cache ~ web-2@3
              2.4s  pop web-1: Replaced web-1@2
              2.4s  cache ~ web-1@2
              2.4s  pop web-2: Replaced web-2@3
              2.4s  cache ~ web-2@3
greeter      800ms  updated web-1@2 from version 2
             800ms  updated web-2@3 from version 3
              2.4s  updated web-1@2 from version 2
              2.4s  updated web-2@3 from version 3
cache [web-1@2 web-2@3], synced: yes
handler greeter: synced: yes, waiting: 0

# So changes do come, late, and each costs the whole collection.
update web-1 color=blue
wait 20s
----
reflector     5.6s  list at version "3"
              5.6s  listing: listed → opening watch
              5.6s  watch from version 4
              5.6s  opening watch: failed, back off → listing (403 injected fault: 403)
               12s  list at version "4"
               12s  listing: listed → opening watch
               12s  watch from version 4
               12s  opening watch: failed, back off → listing (403 injected fault: 403)
             24.8s  list at version "4"
             24.8s  listing: listed → opening watch
             24.8s  watch from version 4
             24.8s  opening watch: failed, back off → listing (403 injected fault: 403)
queue         5.6s  web-1: Replaced web-1@4
              5.6s  web-2: Replaced web-2@3
               12s  web-1: Replaced web-1@4
               12s  web-2: Replaced web-2@3
             24.8s  web-1: Replaced web-1@4
             24.8s  web-2: Replaced web-2@3
process       5.6s  pop web-1: Replaced web-1@4
              5.6s  cache ~ web-1@4
              5.6s  pop web-2: Replaced web-2@3
              5.6s  cache ~ web-2@3
               12s  pop web-1: Replaced web-1@4
               12s  cache ~ web-1@4
               12s  pop web-2: Replaced web-2@3
               12s  cache ~ web-2@3
             24.8s  pop web-1: Replaced web-1@4
             24.8s  cache ~ web-1@4
             24.8s  pop web-2: Replaced web-2@3
             24.8s  cache ~ web-2@3
greeter       5.6s  updated web-1@4 from version 2
              5.6s  updated web-2@3 from version 3
               12s  updated web-1@4 from version 4
               12s  updated web-2@3 from version 3
             24.8s  updated web-1@4 from version 4
             24.8s  updated web-2@3 from version 3
cache [web-1@4 web-2@3], synced: yes
handler greeter: synced: yes, waiting: 0
