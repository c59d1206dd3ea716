# A worker has web-1, and web-2 is queued, when the program is stopped. The workers have ten seconds
# to finish, and the drain has the same.
add web-1 web-2
get a
drain d limit=10s
----
a has web-1
d waits
queue      [web-2]
dirty      [web-2]
processing [web-1]

# The worker is done with web-1. It does not come back, because its context has ended too early. So
# the queue does not become empty.
done a
wait 9s
----
a is idle
d waits
queue      [web-2]
dirty      [web-2]
processing []

# When its context ends, the drain ends too. It says what is left, and the cause of the end. In
# client-go it would wait forever, and the program would never end.
wait 1s
----
a is idle
d has returned: workqueue: drain ended with 1 items queued and 0 being worked on: the workers have left
queue      [web-2]
dirty      [web-2]
processing []
