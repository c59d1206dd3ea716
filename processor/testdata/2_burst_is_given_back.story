# A slow handler is in its first call when a burst of a hundred batches comes. For them the ring has
# doubled three times, from 16 slots. This story does not show the calls.
run
handler slow takes=1s mute=yes
distribute add web-1
distribute times=100 update web-1
----
slow  add web-1 @1             pending 100  ring 100/128  high water 100

# A minute later only a third of the batches is left. Whenever no more than a quarter of the slots
# is used, the ring gives half of them back.
wait 68s
----
slow  update web-1 @1→@2       pending 32  ring 32/64  high water 100

# At the end of the burst the ring is back at 16 slots, although it has never been empty.
wait 31s
----
slow  update web-1 @1→@2       pending 1  ring 1/16  high water 100

# It keeps these 16. In client-go a ring begins with 1024 slots and never gives any back.
wait 2s
----
slow  idle                     pending 0  ring 0/16  high water 100
