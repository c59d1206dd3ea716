# This informer asks for a streaming list, and the server's gate for it is off: 422. The reflector lists
# at once.
informer streams=yes
create web-1 web-2
handler greeter
fault status verb=watch code=422
run
----
reflector       0s  streaming list at version ""
                0s  opening stream: failed → listing (422 injected fault: 422)
                0s  list at version "0"
                0s  listing: listed → opening watch
                0s  watch from version 3
                0s  opening watch: opened → watching
queue           0s  web-1: Replaced web-1@2
                0s  web-2: Replaced web-2@3
process         0s  pop web-1: Replaced web-1@2
                0s  cache + web-1@2
                0s  pop web-2: Replaced web-2@3
                0s  cache + web-2@3
greeter         0s  added web-1@2, in the initial list
                0s  added web-2@3, in the initial list
cache [web-1@2 web-2@3], synced: yes
handler greeter: synced: yes, waiting: 0
