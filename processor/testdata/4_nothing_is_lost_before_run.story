# A handler joins before the processor runs, with one object in the store. AddListener does not wait
# for Run: otherwise a caller that holds a lock that Run needs to start would deadlock.
handler early initial=web-1
----
early idle                     pending 1  ring 1/16  high water 1

# What is distributed now waits behind the add that the handler was given when it joined.
distribute add web-2
----
early idle                     pending 2  ring 2/16  high water 2

# When the processor runs, the handler is called with both, in order.
run
----
early       0s  ← add web-1 @1 (initial)
            0s  ← add web-2 @1
early idle                     pending 0  ring 0/16  high water 2
