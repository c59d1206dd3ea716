# Two objects change, web-1 three times. The keys that a worker has to look at are dirty. A key that
# is dirty is not queued again.
add web-1 web-2 web-1 web-1
----
queue      [web-1 web-2]
dirty      [web-1 web-2]
processing []

# A worker takes web-1. From now on web-1 is processing and no longer dirty: the worker is about to
# read its latest state.
get a
----
a has web-1
queue      [web-2]
dirty      [web-2]
processing [web-1]

# web-1 changes twice more, and the worker may have read it before that. So web-1 is dirty again. It
# is not queued, because then another worker could take it, and two would write to one object.
add web-1 web-1
----
a has web-1
queue      [web-2]
dirty      [web-1 web-2]
processing [web-1]

# A second worker takes what is queued.
get b
----
a has web-1
b has web-2
queue      []
dirty      [web-1]
processing [web-1 web-2]

# A third worker finds nothing, and waits.
get c
----
a has web-1
b has web-2
c waits
queue      []
dirty      [web-1]
processing [web-1 web-2]

# The first worker is done. Now web-1 is queued, once for both changes, and goes to the worker that
# waits.
done a
----
a is idle
b has web-2
c has web-1
queue      []
dirty      []
processing [web-1 web-2]

# When all workers are done and nothing has changed since, the queue holds no key at all.
done b
done c
----
a is idle
b is idle
c is idle
queue      []
dirty      []
processing []
