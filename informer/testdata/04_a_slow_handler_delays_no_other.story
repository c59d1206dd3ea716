# There are two handlers, and the slow one takes a minute for each call. Three widgets are created.
# Each reaches the cache and the fast handler immediately. The slow handler is in its call for the
# first.
handler fast
handler slow takes=1m
run
create web-1 web-2 web-3
----
server          0s  ADDED web-1, version 2
                0s  ADDED web-2, version 3
                0s  ADDED web-3, version 4
reflector       0s  ADDED web-1@2
                0s  ADDED web-2@3
                0s  ADDED web-3@4
queue           0s  web-1: Added web-1@2
                0s  web-2: Added web-2@3
                0s  web-3: Added web-3@4
process         0s  pop web-1: Added web-1@2
                0s  cache + web-1@2
                0s  pop web-2: Added web-2@3
                0s  cache + web-2@3
                0s  pop web-3: Added web-3@4
                0s  cache + web-3@4
fast            0s  added web-1@2
                0s  added web-2@3
                0s  added web-3@4
slow            0s  added web-1@2
cache [web-1@2 web-2@3 web-3@4], synced: yes
handler fast: synced: yes, waiting: 0
handler slow: synced: yes, waiting: 2

# A minute later it is called with the second. The third waits in memory.
wait 1m
----
slow          1m0s  added web-2@3
cache [web-1@2 web-2@3 web-3@4], synced: yes
handler fast: synced: yes, waiting: 0
handler slow: synced: yes, waiting: 1

# In the end it has had the same calls, in the same order, only later.
wait 1m
----
slow          2m0s  added web-3@4
cache [web-1@2 web-2@3 web-3@4], synced: yes
handler fast: synced: yes, waiting: 0
handler slow: synced: yes, waiting: 0
