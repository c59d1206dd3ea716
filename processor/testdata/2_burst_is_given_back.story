run
handler slow takes=1s mute=yes
distribute add web-1

# The slow handler is in its first call when a burst of a hundred batches comes. One of them is in
# pop's hand. For the rest the ring has doubled three times, from sixteen.
distribute times=100 update web-1
----
slow  add web-1 @1             pending 100  ring 99/128  high water 100

# When no more than a quarter of the slots is used, the ring gives half of them back ...
wait 67s
----
slow  update web-1 @1→@2       pending 33  ring 32/64  high water 100

# ... and again, until it is back at sixteen slots, although it has never been empty.
wait 31s
----
slow  update web-1 @1→@2       pending 2  ring 1/16  high water 100

# It keeps the sixteen. In client-go it would keep 128 for as long as the handler lives.
wait 2s
----
slow  update web-1 @1→@2       pending 0  ring 0/16  high water 100
