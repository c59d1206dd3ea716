# The server gets too many requests, and refuses this one with 429. A list would be worse, so the
# reflector repeats the watch, with pauses that grow.
create web-1 web-2
handler greeter
run
wait 2s
fault status code=429 count=-1
drop
update web-1 color=blue
wait 5s
----
reflector     2.8s  watch from version 3
              2.8s  opening watch: busy, back off → opening watch (429 injected fault: 429)
              4.4s  watch from version 3
              4.4s  opening watch: busy, back off → opening watch (429 injected fault: 429)
cache [web-1@2 web-2@3], synced: yes
handler greeter: synced: yes, waiting: 0

# The change was in the server's history all the time.
reconnect
wait 10s
----
reflector     7.6s  watch from version 3
              7.6s  opening watch: opened → watching
              7.6s  MODIFIED web-1@4
queue         7.6s  web-1: Updated web-1@4
process       7.6s  pop web-1: Updated web-1@4
              7.6s  cache ~ web-1@4
greeter       7.6s  updated web-1@4 from version 2
cache [web-1@4 web-2@3], synced: yes
handler greeter: synced: yes, waiting: 0
