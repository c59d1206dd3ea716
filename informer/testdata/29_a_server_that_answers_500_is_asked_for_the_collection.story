# An informer has listed two widgets and is watching. Then the server answers every request with 500.
# What it could say about the version of the watch is not known, so the reflector lists instead, with
# pauses that grow.
create web-1 web-2
handler greeter
run
wait 2s
fault status code=500 count=-1
drop
update web-1 color=blue
delete web-2
wait 10s
----
reflector     2.8s  list at version "3"
              2.8s  listing: failed, back off → listing (500 injected fault: 500)
              4.4s  list at version "3"
              4.4s  listing: failed, back off → listing (500 injected fault: 500)
              7.6s  list at version "3"
              7.6s  listing: failed, back off → listing (500 injected fault: 500)
cache [web-1@2 web-2@3], synced: yes
handler greeter: synced: yes, waiting: 0

# The server has recovered. The next list brings the latest state of web-1, and web-2 is missing.
reconnect
wait 20s
----
reflector      14s  list at version "3"
               14s  listing: listed → opening watch
               14s  watch from version 5
               14s  opening watch: opened → watching
queue          14s  web-1: Replaced web-1@4
               14s  web-2: Deleted tombstone of web-2@3
process        14s  pop web-1: Replaced web-1@4
               14s  cache ~ web-1@4
               14s  pop web-2: Deleted tombstone of web-2@3
               14s  cache - web-2@3
greeter        14s  updated web-1@4 from version 2
               14s  deleted tombstone of web-2@3
cache [web-1@4], synced: yes
handler greeter: synced: yes, waiting: 0
