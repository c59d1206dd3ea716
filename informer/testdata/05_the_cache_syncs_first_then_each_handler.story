# "Has it synced?" is asked of the informer and of each handler. Before Run neither has, although
# there is nothing to wait for yet.
handler slow takes=1m
----
cache [], synced: no
handler slow: synced: no, waiting: 0

create web-1

# The informer has synced when the cache holds the first list. That takes no time here, and it does
# not mean that a handler has been told: this one is in its call.
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

# When the call has returned, the handler has been told of the whole first list.
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

# What is created meanwhile is not part of any first list. The late handler is synced after one
# call, although the next one is under way.
create web-2
wait 1m
----
late          2m0s  added web-2@3
cache [web-1@2 web-2@3], synced: yes
handler slow: synced: yes, waiting: 0
handler late: synced: yes, waiting: 0
