run
handler hasty takes=1m
handler tidy takes=1m drain=yes

# Each handler is in its first call, and two more wait: one in the same batch, one in the hand.
distribute add web-1 add web-2
distribute add web-3
----
hasty add web-1 @1             pending 2  ring 0/0   high water 2
tidy  add web-1 @1             pending 2  ring 0/0   high water 2

# Removal does not wait for the call, which may take long or may be the one that removes. Nor does
# it interrupt it.
remove hasty
----
hasty add web-1 @1             pending 2  ring 0/0   high water 2  removed
tidy  add web-1 @1             pending 2  ring 0/0   high water 2

# The other handler asked to drain. It is removed as well and hears nothing new, but what waits for
# it will be delivered.
remove tidy
----
hasty add web-1 @1             pending 2  ring 0/0   high water 2  removed
tidy  add web-1 @1             pending 2  ring 0/0   high water 2  removed

# There is no handler left for this.
distribute add db-1
----
hasty add web-1 @1             pending 2  ring 0/0   high water 2  removed
tidy  add web-1 @1             pending 2  ring 0/0   high water 2  removed

# When the call returns, the handler has ended, and what waited is dropped, as in client-go. The
# registration says how much that was.
wait 1m
----
tidy      1m0s  ← add web-2 @1
hasty idle                     pending 0  ring 0/0   high water 2  removed, ended, dropped 2
tidy  add web-2 @1             pending 1  ring 0/0   high water 2  removed

# Two minutes later the tidy handler has heard all that waited and has ended as well.
wait 2m
----
tidy      2m0s  ← add web-3 @1
hasty idle                     pending 0  ring 0/0   high water 2  removed, ended, dropped 2
tidy  idle                     pending 0  ring 0/0   high water 2  removed, ended, dropped 0
