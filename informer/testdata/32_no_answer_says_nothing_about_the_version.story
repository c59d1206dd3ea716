# A load balancer has no server for the moment. It accepts each connection and closes it, without an
# answer. The reflector asks for the same watch once a second.
create web-1 web-2
handler greeter
run
wait 2s
fault reset verb=watch count=-1
drop
update web-1 color=blue
delete web-2
wait 3s
----
reflector       3s  watch from version 3
                3s  opening watch: busy, back off → opening watch (EOF)
                4s  watch from version 3
                4s  opening watch: busy, back off → opening watch (EOF)
                5s  watch from version 3
                5s  opening watch: busy, back off → opening watch (EOF)
cache [web-1@2 web-2@3], synced: yes
handler greeter: synced: yes, waiting: 0

# The server is back, and its history has both changes.
reconnect
wait 10s
----
reflector       6s  watch from version 3
                6s  opening watch: opened → watching
                6s  MODIFIED web-1@4
                6s  DELETED web-2@5
queue           6s  web-1: Updated web-1@4
                6s  web-2: Deleted web-2@5
process         6s  pop web-1: Updated web-1@4
                6s  cache ~ web-1@4
                6s  pop web-2: Deleted web-2@5
                6s  cache - web-2@3
greeter         6s  updated web-1@4 from version 2
                6s  deleted web-2@5
cache [web-1@4], synced: yes
handler greeter: synced: yes, waiting: 0
