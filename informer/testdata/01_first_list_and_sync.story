# Two widgets exist on the server before the informer runs.
create web-1
create db-1
handler greeter

# Run lists the collection. What comes back is queued whole before the first of it is popped, each
# object goes into the cache, then to the handler: the adds say that they are the initial list.
# The informer has synced when the cache holds the list; the handler, when it has been told.
run
----
reflector       0s  list at version "0"
                0s  listing: listed → opening watch
                0s  watch from version 3
                0s  opening watch: opened → watching
queue           0s  db-1: Replaced db-1@3
                0s  web-1: Replaced web-1@2
process         0s  pop db-1: Replaced db-1@3
                0s  cache + db-1@3
                0s  pop web-1: Replaced web-1@2
                0s  cache + web-1@2
greeter         0s  added db-1@3, in the initial list
                0s  added web-1@2, in the initial list
cache [db-1@3 web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0
