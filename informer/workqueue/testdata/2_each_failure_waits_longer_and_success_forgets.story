# A worker fails, and adds web-1 rate limited before it is done. web-1 will be added in 5 ms. Until
# then it is neither dirty nor queued.
add web-1
get a
done a failed=yes
----
a is idle
queue      []
dirty      []
processing []
web-1 will be added in 5ms

# The delay has passed, and web-1 is queued.
wait 5ms
----
a is idle
queue      [web-1]
dirty      [web-1]
processing []

# It fails once more. Now the wait is twice as long.
get a
done a failed=yes
----
a is idle
queue      []
dirty      []
processing []
web-1 will be added in 10ms

# In the meantime web-1 changes. An Add queues it immediately: this could be the change that web-1
# needs. The delay goes on.
add web-1
----
a is idle
queue      [web-1]
dirty      [web-1]
processing []
web-1 will be added in 10ms

# This time the worker succeeds, and calls Forget. A delay that has begun is not cancelled: one more
# look at an object does no harm.
get a
done a forget=yes
----
a is idle
queue      []
dirty      []
processing []
web-1 will be added in 10ms

# The delay ends, and a worker takes web-1 once more and fails. This failure counts as the first
# again, so the delay is 5 ms.
wait 10ms
get a
done a failed=yes
----
a is idle
queue      []
dirty      []
processing []
web-1 will be added in 5ms
