# The informer has listed three widgets and is watching.
create db-1 web-1 web-2
handler greeter
run
wait 2s

# The process loop is held, so the next change of db-1 stays in the queue.
valve V2 held
update db-1 color=blue

# The connection is cut. db-1 and web-2 are deleted, web-1 changes, and the server forgets its history:
# no watch can send these changes any more.
disconnect
delete db-1
delete web-2
update web-1 color=blue
compact

# A list follows. db-1 is queued and not listed, web-2 is cached and not listed: both have been
# deleted. The queue adds a tombstone for each, with the newest state that it knows: for db-1 the
# queued one, for web-2 the cached one.
reconnect
wait 30s

# The process loop goes on, and the handler is called with both tombstones.
valve V2 open
