synced
run

# This handler cannot stand web-1, the first object of its initial list. Usually its panic would end
# the program. Here somebody has asked to be told instead. The add that failed is over and done
# with, so the registration is not kept from being synced for ever.
handler shaky panics=web-1 initial=web-1
----
shaky       0s  ← add web-1 @1 (initial)
            0s  panic: cannot stand web-1
shaky resting after a panic    pending 0  ring 0/16  high water 1  synced

# For a second the handler rests. What comes meanwhile waits.
distribute add web-2
----
shaky resting after a panic    pending 1  ring 0/16  high water 1  synced

# Then it goes on with the next notification. web-1 is not tried again.
wait 1s
----
shaky       1s  ← add web-2 @1
shaky idle                     pending 0  ring 0/16  high water 1  synced
