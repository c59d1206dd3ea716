run
handler slow takes=1s mute=yes
distribute add web-1

# The slow handler is in its first call when a burst of a hundred batches comes. One of them is in
# pop's hand. For the rest the ring has doubled three times, from sixteen.
distribute times=100 update web-1
----
slow  add web-1 @1             pending 100  ring 99/128  high water 100

# As long as anything is inside, the ring keeps its size ...
wait 98s
----
slow  update web-1 @1→@2       pending 2  ring 1/128  high water 100

# ... and the moment it is empty it lets go of all of it. In client-go it would stay that large for
# as long as the handler lives.
wait 2s
----
slow  update web-1 @1→@2       pending 0  ring 0/0   high water 100
