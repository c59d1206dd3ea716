# The informer runs, and web-1 has changed once, before a handler joins. The handler is called with
# what the cache holds, as adds of an initial list of its own. It gets the present state, not the
# history: web-1 is added as it is now.
create web-1
run
update web-1 color=blue
handler late
----
late            0s  added web-1@3, in the initial list
cache [web-1@3], synced: yes
handler late: synced: yes, waiting: 0

# From then on it is called for every change.
create web-2
----
server          0s  ADDED web-2, version 4
reflector       0s  ADDED web-2@4
queue           0s  web-2: Added web-2@4
process         0s  pop web-2: Added web-2@4
                0s  cache + web-2@4
late            0s  added web-2@4
cache [web-1@3 web-2@4], synced: yes
handler late: synced: yes, waiting: 0

# Among them are changes of the objects that it got when it joined.
delete web-1
----
server          0s  DELETED web-1, version 5
reflector       0s  DELETED web-1@5
queue           0s  web-1: Deleted web-1@5
process         0s  pop web-1: Deleted web-1@5
                0s  cache - web-1@3
late            0s  deleted web-1@5
cache [web-2@4], synced: yes
handler late: synced: yes, waiting: 0
