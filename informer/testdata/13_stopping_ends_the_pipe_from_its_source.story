handler hasty takes=1m
handler tidy takes=1m drain=yes
run
create web-1 web-2

# Two objects are in the cache. Each handler is in its first call, and the second one waits.
wait 1s
----
cache [web-1@2 web-2@3], synced: yes
handler hasty: synced: yes, waiting: 1
handler tidy: synced: yes, waiting: 1

# ctx ends. The reflector closes its watch, the process loop ends, then the handlers are removed.
# No call is interrupted: Run waits for both.
stop
----
reflector       1s  watching: stop → stopped
cache [web-1@2 web-2@3], synced: yes
handler hasty: synced: yes, waiting: 1
handler tidy: synced: yes, waiting: 1
informer stopped: yes

# The server goes on without us.
create web-3
----
server          1s  ADDED web-3, version 4
cache [web-1@2 web-2@3], synced: yes
handler hasty: synced: yes, waiting: 1
handler tidy: synced: yes, waiting: 1
informer stopped: yes

# After their minute the calls return. What waited for the hasty handler is dropped, and it has
# ended. The tidy handler asked to drain: it is called with web-2.
wait 1m
----
tidy          1m0s  added web-2@3
cache [web-1@2 web-2@3], synced: yes
handler hasty: synced: yes, waiting: 0, ended, dropped: 1
handler tidy: synced: yes, waiting: 0
informer stopped: yes

# Then it has ended as well, and Run returns. The cache stays readable, as it was.
wait 1m
----
cache [web-1@2 web-2@3], synced: yes
handler hasty: synced: yes, waiting: 0, ended, dropped: 1
handler tidy: synced: yes, waiting: 0, ended, dropped: 0
informer stopped: yes
