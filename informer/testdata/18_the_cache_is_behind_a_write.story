# The network between this informer and the server is slow: what the server sends arrives a second
# later. web-1 has been listed.
informer lag=1s
create web-1
run
wait 10s

# A program paints web-1 blue. The server has answered: that is version 3. The cache still holds
# version 2, and a program that reads its own write from the cache reads an old state.
update web-1 color=blue
----
server         10s  MODIFIED web-1, version 3
cache [web-1@2], synced: yes

# A second later the event has arrived.
wait 1s
----
reflector      11s  MODIFIED web-1@3
queue          11s  web-1: Updated web-1@3
process        11s  pop web-1: Updated web-1@3
               11s  cache ~ web-1@3
cache [web-1@3], synced: yes

# A program that needs its own write in the cache can wait for the version that it has written.
write web-1 color=green
----
writer         11s  waits for version 4
server         11s  MODIFIED web-1, version 4
cache [web-1@3], synced: yes

# The cache has reached it.
wait 1s
----
writer         12s  the cache has reached version 4
reflector      12s  MODIFIED web-1@4
queue          12s  web-1: Updated web-1@4
process        12s  pop web-1: Updated web-1@4
               12s  cache ~ web-1@4
cache [web-1@4], synced: yes
