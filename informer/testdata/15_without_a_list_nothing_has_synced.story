# The server cannot be reached when the informer starts.
handler greeter
disconnect
run
----
reflector       0s  list at version "0"
                0s  listing: failed, back off → listing (connection refused)
cache [], synced: no
handler greeter: synced: no, waiting: 0

# Half a minute later, still nothing has been listed. The cache is empty, but that says nothing
# about the server. So a program asks whether the informer has synced, and not whether the cache
# holds anything.
wait 30s
----
reflector    800ms  list at version "0"
             800ms  listing: failed, back off → listing (connection refused)
              2.4s  list at version "0"
              2.4s  listing: failed, back off → listing (connection refused)
              5.6s  list at version "0"
              5.6s  listing: failed, back off → listing (connection refused)
               12s  list at version "0"
               12s  listing: failed, back off → listing (connection refused)
             24.8s  list at version "0"
             24.8s  listing: failed, back off → listing (connection refused)
cache [], synced: no
handler greeter: synced: no, waiting: 0

# The server can be reached, and it has no widgets. The empty list is a list: informer and handler
# have synced, although the handler was never called.
reconnect
wait 1m
----
reflector    50.4s  list at version "0"
             50.4s  listing: listed → opening watch
             50.4s  watch from version 1
             50.4s  opening watch: opened → watching
cache [], synced: yes
handler greeter: synced: yes, waiting: 0

# What comes now is not part of the initial list.
create web-1
----
server       1m30s  ADDED web-1, version 2
reflector    1m30s  ADDED web-1@2
queue        1m30s  web-1: Added web-1@2
process      1m30s  pop web-1: Added web-1@2
             1m30s  cache + web-1@2
greeter      1m30s  added web-1@2
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0
