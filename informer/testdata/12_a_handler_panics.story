# The shaky handler panics on db-1. By default that crashes the program. This informer has an
# OnPanic, which is called instead. The other handler is not affected.
create db-1 web-1
handler shaky panics=db-1
handler greeter
run
----
reflector       0s  list at version "0"
                0s  listing: listed → opening watch
                0s  watch from version 3
                0s  opening watch: opened → watching
queue           0s  db-1: Replaced db-1@2
                0s  web-1: Replaced web-1@3
process         0s  pop db-1: Replaced db-1@2
                0s  cache + db-1@2
                0s  pop web-1: Replaced web-1@3
                0s  cache + web-1@3
greeter         0s  added db-1@2, in the initial list
                0s  added web-1@3, in the initial list
shaky           0s  added db-1@2, in the initial list
                0s  panics: no db-1
cache [db-1@2 web-1@3], synced: yes
handler shaky: synced: no, waiting: 1
handler greeter: synced: yes, waiting: 0

# After a second the shaky handler is called with the next object. The call for db-1 is not
# repeated, and counts as made: the handler has synced.
wait 1s
----
shaky           1s  added web-1@3, in the initial list
cache [db-1@2 web-1@3], synced: yes
handler shaky: synced: yes, waiting: 0
handler greeter: synced: yes, waiting: 0
