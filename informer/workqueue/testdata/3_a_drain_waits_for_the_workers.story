# web-1 has failed and is delayed. A worker has web-2, and web-3 is queued.
add web-1
get a
done a failed=yes
add web-2 web-3
get a
----
a has web-2
queue      [web-3]
dirty      [web-3]
processing [web-2]
web-1 will be added in 5ms

# Two goroutines wait until the queue is drained. The delayed web-1 is dropped, and from now on an
# Add does nothing.
drain d1
drain d2
add web-4
----
a has web-2
d1 waits
d2 waits
queue      [web-3]
dirty      [web-3]
processing [web-2]

# The queued web-3 is still handed out.
done a
get a
----
a has web-3
d1 waits
d2 waits
queue      []
dirty      []
processing [web-3]

# Both goroutines are woken when the last worker is done. In client-go only one of the two is.
done a
----
a is idle
d1 has returned
d2 has returned
queue      []
dirty      []
processing []

# A worker that calls Get now gets no key: there is none and never will be.
get a
----
a gets no key: the queue is shut down and empty
d1 has returned
d2 has returned
queue      []
dirty      []
processing []
