# There are two handlers, and the slow one takes a minute for each call. Both are called with the
# first notification immediately.
run
handler fast
handler slow takes=1m
distribute add web-1
----
fast        0s  ← add web-1 @1
slow        0s  ← add web-1 @1
fast  idle                     pending 0  ring 0/16  high water 1
slow  add web-1 @1             pending 0  ring 0/16  high water 1

# Each handler has two goroutines: pop keeps notifications in a queue, the ring, and run calls the
# handler. Now the slow handler's run is busy, so the second notification waits in the ring.
distribute add web-2
----
fast        0s  ← add web-2 @1
fast  idle                     pending 0  ring 0/16  high water 1
slow  add web-1 @1             pending 1  ring 1/16  high water 1

# The third notification waits behind it, as all that follow will. The fast handler is not affected.
distribute add web-3
----
fast        0s  ← add web-3 @1
fast  idle                     pending 0  ring 0/16  high water 1
slow  add web-1 @1             pending 2  ring 2/16  high water 2

# A batch takes one place in the ring, however long it is: the ring counts batches, pending counts
# notifications.
distribute add db-1 update db-1 delete db-1
----
fast        0s  ← add db-1 @1
            0s  ← update db-1 @1→@2
            0s  ← delete db-1 @2
fast  idle                     pending 0  ring 0/16  high water 3
slow  add web-1 @1             pending 5  ring 3/16  high water 5

# After a minute the slow handler's call returns. The handler is called with what waits, in order.
wait 1m
----
slow      1m0s  ← add web-2 @1
fast  idle                     pending 0  ring 0/16  high water 3
slow  add web-2 @1             pending 4  ring 2/16  high water 5

# When it has caught up, nothing is pending. The high-water mark says how far behind it was at most.
wait 10m
----
slow      2m0s  ← add web-3 @1
          3m0s  ← add db-1 @1
          4m0s  ← update db-1 @1→@2
          5m0s  ← delete db-1 @2
fast  idle                     pending 0  ring 0/16  high water 3
slow  idle                     pending 0  ring 0/16  high water 5
