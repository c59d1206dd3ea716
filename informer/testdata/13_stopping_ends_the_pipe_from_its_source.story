# Two handlers take a minute for each call, and the tidy one has asked to drain. Two objects are in
# the cache. Each handler is in its first call, and the second object waits.
handler hasty takes=1m
handler tidy takes=1m drain=yes
run
create web-1 web-2
wait 1s
----
cache [web-1@2 web-2@3], synced: yes
handler hasty: synced: yes, waiting: 1
handler tidy: synced: yes, waiting: 1

# The informer is stopped, and the reflector closes its watch. No call is interrupted: both handlers
# are still in their first, and Run waits for them.
stop
----
reflector       1s  watching: stop → stopped
cache [web-1@2 web-2@3], synced: yes
handler hasty: synced: yes, waiting: 1
handler tidy: synced: yes, waiting: 1
informer stopped: yes, Run has returned: no

# What happens on the server from now on does not reach the informer.
create web-3
----
server          1s  ADDED web-3, version 4
cache [web-1@2 web-2@3], synced: yes
handler hasty: synced: yes, waiting: 1
handler tidy: synced: yes, waiting: 1
informer stopped: yes, Run has returned: no

# The calls return. What waited for the hasty handler is dropped, and it has ended: it was never
# called with web-2. The tidy handler is called with web-2.
wait 1m
----
tidy          1m0s  added web-2@3
cache [web-1@2 web-2@3], synced: yes
handler hasty: synced: yes, waiting: 0, ended, dropped: 1
handler tidy: synced: yes, waiting: 0
informer stopped: yes, Run has returned: no

# Then the tidy handler has ended as well, and Run returns. The cache can still be read.
wait 1m
----
cache [web-1@2 web-2@3], synced: yes
handler hasty: synced: yes, waiting: 0, ended, dropped: 1
handler tidy: synced: yes, waiting: 0, ended, dropped: 0
informer stopped: yes, Run has returned: yes
