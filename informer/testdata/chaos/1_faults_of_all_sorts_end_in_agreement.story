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

# While one writer made forty writes, streams were cut and one fell silent, the history was lost,
# and handlers came and went. Now the server heals and all comes to rest. Both informers hold what
# the server holds, and the contract was kept with each of the three handlers.
agree
----
server, caches, indices and handlers agree
