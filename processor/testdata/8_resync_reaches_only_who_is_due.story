handler never
handler often resync=10s
handler rare resync=25s
run
wait 10s

# Every ten seconds the reflector asks whether a handler is due to hear of everything again. The
# first time one of three is.
due
----
a handler is due: true
never idle                     pending 0  ring 0/0   high water 0
often idle                     pending 0  ring 0/0   high water 0
rare  idle                     pending 0  ring 0/0   high water 0

# So the informer replays its cache. An update from an object to itself changes nothing; it goes to
# the handler that is due. No server is asked for anything.
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

wait 20s
due

# After thirty seconds two handlers are due. One of them asked for 25 s, but then there was no check:
# a period is rounded up to the next time the reflector asks.
distribute sync=yes resync web-1
----
often      30s  ← update web-1 @2→@2
rare       30s  ← update web-1 @2→@2
never idle                     pending 0  ring 0/0   high water 1
often idle                     pending 0  ring 0/0   high water 1
rare  idle                     pending 0  ring 0/0   high water 1
