# The informer and each handler say whether they have synced. Before Run neither has.
handler slow takes=1m
----
cache [], synced: no
handler slow: synced: no, waiting: 0

# A widget is created, and the informer runs. It has synced when the cache holds the first list.
# That takes no time in this story, and it does not mean that a handler has got the list: this one
# is still in its call.
create web-1
run
----
reflector       0s  list at version "0"
                0s  listing: listed → opening watch
                0s  watch from version 2
                0s  opening watch: opened → watching
queue           0s  web-1: Replaced web-1@2
process         0s  pop web-1: Replaced web-1@2
                0s  cache + web-1@2
slow            0s  added web-1@2, in the initial list
cache [web-1@2], synced: yes
handler slow: synced: no, waiting: 0

# The call has returned. Now the handler has got the whole first list.
wait 1m
----
cache [web-1@2], synced: yes
handler slow: synced: yes, waiting: 0

# A handler that joins later has a first list of its own: what the cache holds.
handler late takes=1m
----
late          1m0s  added web-1@2, in the initial list
cache [web-1@2], synced: yes
handler slow: synced: yes, waiting: 0
handler late: synced: no, waiting: 0

# What is created in the meantime is not part of any first list. The late handler has synced after
# one call, although it is already in the next.
create web-2
wait 1m
----
late          2m0s  added web-2@3
cache [web-1@2 web-2@3], synced: yes
handler slow: synced: yes, waiting: 0
handler late: synced: yes, waiting: 0
