# The handler fails at its first call, for db-1. And at each call it wants to know which objects have
# the same label app. To find two, it looks at all three.
create web-1 web-2 app=web
create db-1 app=db
run fail=1 app=true slow=2s resync=1m
----

wait 10s
----
first: added db-1@4: failed
first: added web-1@2
  of the same app: [web-1 web-2], found among 3
first: added web-2@3
  of the same app: [web-1 web-2], found among 3

# Nothing tells the handler of db-1 again, in this minute or in the next hour.
wait 1m
----

# web-2 changes, and while the handler works on it the program is told to stop. It does not wait.
update web-2
wait 1s
----

stop
----
once more: the watch is over: context canceled
the program ends: context canceled

wait 1m
----
first: updated web-2@5
  of the same app: [web-1 web-2], found among 3
