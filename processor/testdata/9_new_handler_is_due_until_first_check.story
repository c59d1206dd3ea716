# This handler wants no resyncs. It still gets an update that changes nothing, as a relist may cause
# it: a new handler counts as due until the first resync check, and in an informer without resyncs
# there never is one. This quirk is kept because client-go has it.
handler never
run
distribute sync=yes resync web-1
----
never       0s  ← update web-1 @1→@1
never idle                     pending 0  ring 0/16  high water 1

# The first check finds that this handler is not due.
due
----
a handler is due: false
never idle                     pending 0  ring 0/16  high water 1

# From then on the handler gets only real changes.
distribute sync=yes resync web-1
----
never idle                     pending 0  ring 0/16  high water 1
