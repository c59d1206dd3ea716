# This informer streams its lists, and the bookmark that says "this was everything" does not come. The
# cache gets nothing: half a collection would look as if the other half had been deleted.
informer streams=yes
create web-1 web-2
handler greeter
fault no-initial-end
run
wait 1m
----
cache [], synced: no
handler greeter: synced: no, waiting: 0

# After two minutes without another object the reflector asks for a plain list.
wait 2m
----
reflector     2m0s  streaming: failed → listing (no bookmark has marked the end of the initial events, within two minutes or three attempts)
              2m0s  list at version "0"
              2m0s  listing: listed → opening watch
              2m0s  watch from version 3
              2m0s  opening watch: opened → watching
queue         2m0s  web-1: Replaced web-1@2
              2m0s  web-2: Replaced web-2@3
process       2m0s  pop web-1: Replaced web-1@2
              2m0s  cache + web-1@2
              2m0s  pop web-2: Replaced web-2@3
              2m0s  cache + web-2@3
greeter       2m0s  added web-1@2, in the initial list
              2m0s  added web-2@3, in the initial list
cache [web-1@2 web-2@3], synced: yes
handler greeter: synced: yes, waiting: 0
