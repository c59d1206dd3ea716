# The handler "often" wants a resync every ten seconds, "rare" every 25 seconds, and "never" wants
# none. Every ten seconds the reflector checks whether a handler is due. At the first check one is:
# "often".
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

# So the informer replays its cache, without any request to the server. For each object there is an
# update from the object to itself, and only the handler that is due gets it.
distribute sync=yes resync web-1
----
often      10s  ← update web-1 @1→@1
never idle                     pending 0  ring 0/0   high water 0
often idle                     pending 0  ring 0/16  high water 1
rare  idle                     pending 0  ring 0/0   high water 0

# A real change is for all handlers, due or not.
distribute update web-1
----
never      10s  ← update web-1 @1→@2
often      10s  ← update web-1 @1→@2
rare       10s  ← update web-1 @1→@2
never idle                     pending 0  ring 0/16  high water 1
often idle                     pending 0  ring 0/16  high water 1
rare  idle                     pending 0  ring 0/16  high water 1

# After thirty seconds two handlers are due. "rare" asked for 25 seconds, but there was no check at
# that time: a period is rounded up to the next check.
wait 20s
due
distribute sync=yes resync web-1
----
often      30s  ← update web-1 @2→@2
rare       30s  ← update web-1 @2→@2
never idle                     pending 0  ring 0/16  high water 1
often idle                     pending 0  ring 0/16  high water 1
rare  idle                     pending 0  ring 0/16  high water 1
