# Two widgets exist on the server before the informer runs. The informer lists the collection. The
# whole list is queued before the first key is popped. Each object goes into the cache and then to
# the handler, and the adds say that they belong to the initial list. The informer has synced when
# the cache holds the list, and the handler when it has been called with it.
create web-1
create db-1
handler greeter
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
