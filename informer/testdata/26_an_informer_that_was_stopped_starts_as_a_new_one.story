# Two widgets are in the cache, and the handler has been called for both.
create web-1 db-1
handler greeter
run

# The informer is stopped. Meanwhile db-1 is deleted on the server.
stop
delete db-1

# An informer runs once, so this is a new one, with an empty cache. It lists, and the handler is
# called with what there is, as adds. The new informer never had db-1, so it cannot say that it is
# gone: a handler that keeps a state of its own has to begin anew as well.
run
----
reflector       0s  list at version "0"
                0s  listing: listed → opening watch
                0s  watch from version 4
                0s  opening watch: opened → watching
queue           0s  web-1: Replaced web-1@2
process         0s  pop web-1: Replaced web-1@2
                0s  cache + web-1@2
greeter         0s  added web-1@2, in the initial list
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0
