# web-1 is in the cache.
create web-1
handler greeter
run
wait 2s

# A program gets web-1 from the lister and puts a label on it. What a lister returns is the object of
# the cache itself, and no copy. No event has said so: it is still version 2, and no handler is called.
mutate web-1
----
reader          2s  web-1@2 now has the label seen=yes
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0

# Another program reads web-1 from the cache. It sees the label, which the server has never had.
read web-1
----
web-1@2 has the labels app=web seen=yes
cache [web-1@2], synced: yes
handler greeter: synced: yes, waiting: 0

# web-1 changes on the server. The new object takes the place of the old one, and the label is lost.
update web-1 color=blue
read web-1
----
web-1@3 has the labels app=web
cache [web-1@3], synced: yes
handler greeter: synced: yes, waiting: 0
