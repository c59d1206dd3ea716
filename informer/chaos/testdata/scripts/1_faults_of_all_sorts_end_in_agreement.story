# Two of the informers get handlers, one that streams its lists and one that lists. A writer
# makes forty writes. In the meantime connections are cut twice and one falls silent, the history is
# lost, and handlers join and leave.
create widgets web-1
join streamed early drain=yes
join listed slow takes=2s
write widgets seed=1 times=40
fault cut count=2 after=3
fault silence after=9
wait 20s
compact
join streamed late
leave early
wait 10m

# The faults end, and nothing more happens. Both informers hold what the server holds, and the
# contract was kept with each of the three handlers.
agree
----
server, caches, indices and handlers agree
