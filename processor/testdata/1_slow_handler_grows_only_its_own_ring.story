run
handler fast
handler slow takes=1m

# Two handlers, one of which takes a minute for each call. Both hear the first notification at once.
distribute add web-1
----
fast        0s  ← add web-1 @1
slow        0s  ← add web-1 @1
fast  idle                     pending 0  ring 0/0   high water 1
slow  add web-1 @1             pending 0  ring 0/0   high water 1

# The second waits in pop's hand, offered to a run that is busy. The ring is not touched: it has not
# even allocated anything.
distribute add web-2
----
fast        0s  ← add web-2 @1
fast  idle                     pending 0  ring 0/0   high water 1
slow  add web-1 @1             pending 1  ring 0/0   high water 1

# The third and all that follow wait in the ring. The fast handler is not affected.
distribute add web-3
----
fast        0s  ← add web-3 @1
fast  idle                     pending 0  ring 0/0   high water 1
slow  add web-1 @1             pending 2  ring 1/16  high water 2

# A batch takes one place in the ring, however long it is: the ring counts batches, pending counts
# notifications.
distribute add db-1 update db-1 delete db-1
----
fast        0s  ← add db-1 @1
            0s  ← update db-1 @1→@2
            0s  ← delete db-1 @2
fast  idle                     pending 0  ring 0/0   high water 3
slow  add web-1 @1             pending 5  ring 2/16  high water 5

# After a minute the slow handler's call returns. It is given what it missed, in order.
wait 1m
----
slow      1m0s  ← add web-2 @1
fast  idle                     pending 0  ring 0/0   high water 3
slow  add web-2 @1             pending 4  ring 1/16  high water 5

# When it has caught up, nothing is pending. The high-water mark remembers how far behind it was.
wait 10m
----
slow      2m0s  ← add web-3 @1
          3m0s  ← add db-1 @1
          4m0s  ← update db-1 @1→@2
          5m0s  ← delete db-1 @2
fast  idle                     pending 0  ring 0/0   high water 3
slow  idle                     pending 0  ring 0/16  high water 5
