# Two handlers take a minute for each call, and the tidy one was added with Drain. Each is in its
# first call, and two notifications wait: one of the same batch, and one in the ring.
run
handler hasty takes=1m
handler tidy takes=1m drain=yes
distribute add web-1 add web-2
distribute add web-3
----
hasty add web-1 @1             pending 2  ring 1/16  high water 2
tidy  add web-1 @1             pending 2  ring 1/16  high water 2

# The hasty handler is removed. Removal does not interrupt the call, and does not wait for it: the
# call may take long, and the handler may even be removing itself in it. But the ring is emptied, so
# that a call that hangs keeps no more than its own batch in memory.
remove hasty
----
hasty add web-1 @1             pending 2  ring 0/0   high water 2  removed
tidy  add web-1 @1             pending 2  ring 1/16  high water 2

# The tidy handler is removed as well. It gets nothing new, but what waits for it will be delivered.
remove tidy
----
hasty add web-1 @1             pending 2  ring 0/0   high water 2  removed
tidy  add web-1 @1             pending 2  ring 1/16  high water 2  removed

# Nothing further is distributed to either.
distribute add db-1
----
hasty add web-1 @1             pending 2  ring 0/0   high water 2  removed
tidy  add web-1 @1             pending 2  ring 1/16  high water 2  removed

# When its call returns, the hasty handler has ended. What waited was dropped, as in client-go, and
# the registration says how many notifications that were.
wait 1m
----
tidy      1m0s  ← add web-2 @1
hasty idle                     pending 0  ring 0/0   high water 2  removed, ended, dropped 2
tidy  add web-2 @1             pending 1  ring 1/16  high water 2  removed

# Two minutes later the tidy handler has been called with all that waited, and has ended as well.
wait 2m
----
tidy      2m0s  ← add web-3 @1
hasty idle                     pending 0  ring 0/0   high water 2  removed, ended, dropped 2
tidy  idle                     pending 0  ring 0/0   high water 2  removed, ended, dropped 0
