# There are three objects, and two of them have the same label.
create web-1 web-2 app=web
create db-1 app=db
run fail=1 app=true slow=2s
----

# The handler fails at its first call, for db-1. At each call it asks which objects have the same
# label app. To find two, the program looks at all three.
wait 10s
----
first: added db-1@4: failed
first: added web-1@2
  of the same app: [web-1 web-2], found among 3
first: added web-2@3
  of the same app: [web-1 web-2], found among 3

# Nothing tells the handler of db-1 again.
wait 1m
----

# web-2 changes, and the handler works on it.
update web-2
wait 1s
----

# The program is told to stop. It does not wait for the handler. If the process ended now,
# the handler's work would end in the middle.
stop
----
trying again: the watch ended: context canceled
the program ends: context canceled

# In a test the process goes on, so the handler returns later.
wait 1m
----
first: updated web-2@5
  of the same app: [web-1 web-2], found among 3
