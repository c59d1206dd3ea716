# One handler is registered when the initial list is distributed. The list is in the store, and the
# handler has been called with all of it, so it has synced.
handler early
run
distribute initial=yes add web-1 add web-2
synced
----
early idle                     pending 0  ring 0/16  high water 2  synced

# Another handler joins. It has missed everything, so the informer gives it a synthetic add for each
# object in the store. They are in its ring before its goroutines start, so nothing can overtake
# them. The other handler does not get them. The late handler has synced when their calls have
# returned.
handler late takes=10s initial="web-1 web-2"
----
late        0s  ← add web-1 @1 (initial)
early idle                     pending 0  ring 0/16  high water 2  synced
late  add web-1 @1 (initial)   pending 1  ring 0/16  high water 2

# From now on both are called with every change, the late handler after its synthetic adds.
distribute update web-1
----
early       0s  ← update web-1 @1→@2
early idle                     pending 0  ring 0/16  high water 2  synced
late  add web-1 @1 (initial)   pending 2  ring 1/16  high water 2

# Twenty seconds later both adds have returned. The handler has synced, although it is still in the
# call with the update.
wait 20s
----
late       10s  ← add web-2 @1 (initial)
           20s  ← update web-1 @1→@2
early idle                     pending 0  ring 0/16  high water 2  synced
late  update web-1 @1→@2       pending 0  ring 0/16  high water 2  synced
