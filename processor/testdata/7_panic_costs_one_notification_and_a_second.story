# A handler joins and panics on web-1, the first object of its initial list. By default that crashes
# the program. This processor has an OnPanic, which is called instead. The add that failed
# counts as finished: otherwise the handler would never sync.
synced
run
handler shaky panics=web-1 initial=web-1
----
shaky       0s  ← add web-1 @1 (initial)
            0s  panic: no web-1
shaky resting after a panic    pending 0  ring 0/16  high water 1  synced

# For a second the handler is not called. What comes in that time waits.
distribute add web-2
----
shaky resting after a panic    pending 1  ring 1/16  high water 1  synced

# Then it is called with the next notification. web-1 is not tried again.
wait 1s
----
shaky       1s  ← add web-2 @1
shaky idle                     pending 0  ring 0/16  high water 1  synced
