# Three handlers want a resync every ten seconds, every 25 seconds and never. Every ten seconds the
# reflector asks whether a handler is due. At the first check one is: the answer is yes.
handler never
handler often resync=10s
handler rare resync=25s
run
wait 10s
due
----
a handler is due: true
never idle                     pending 0  ring 0/0   high water 0
often idle                     pending 0  ring 0/0   high water 0
rare  idle                     pending 0  ring 0/0   high water 0

# So the informer replays its cache, and asks no server. What comes is an update from an object to
# itself, and only the handler that is due gets it.
distribute sync=yes resync web-1
----
often      10s  ← update web-1 @1→@1
never idle                     pending 0  ring 0/0   high water 0
often idle                     pending 0  ring 0/0   high water 1
rare  idle                     pending 0  ring 0/0   high water 0

# A real change is for all handlers, due or not.
distribute update web-1
----
never      10s  ← update web-1 @1→@2
often      10s  ← update web-1 @1→@2
rare       10s  ← update web-1 @1→@2
never idle                     pending 0  ring 0/0   high water 1
often idle                     pending 0  ring 0/0   high water 1
rare  idle                     pending 0  ring 0/0   high water 1

# After thirty seconds two handlers are due. The rare one asked for 25 seconds, but at that time
# there was no check: a period is rounded up to the next check.
wait 20s
due
distribute sync=yes resync web-1
----
often      30s  ← update web-1 @2→@2
rare       30s  ← update web-1 @2→@2
never idle                     pending 0  ring 0/0   high water 1
often idle                     pending 0  ring 0/0   high water 1
rare  idle                     pending 0  ring 0/0   high water 1
