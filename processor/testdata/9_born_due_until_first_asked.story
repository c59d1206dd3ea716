# A quirk, kept because client-go has it. This handler wants no resyncs ...
handler never
run

# ... and yet hears of an update that changes nothing, as a relist may bring: a new handler counts as
# due until the first resync check. In an informer without resyncs there never is one.
distribute sync=yes resync web-1
----
never       0s  ← update web-1 @1→@1
never idle                     pending 0  ring 0/0   high water 1

# The first check finds that this handler is not due ...
due
----
a handler is due: false
never idle                     pending 0  ring 0/0   high water 1

# ... and from then on it hears of changes only.
distribute sync=yes resync web-1
----
never idle                     pending 0  ring 0/0   high water 1
