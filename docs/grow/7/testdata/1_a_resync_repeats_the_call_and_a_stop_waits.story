# The same three objects.
create web-1 web-2 app=web
create db-1 app=db
run fail=1 app=true slow=2s
----

# With the index, the program looks at two objects to find two.
wait 10s
----
first: added db-1@4: failed
first: added web-1@2
  of the same app: [web-1 web-2], found among 2
first: added web-2@3
  of the same app: [web-1 web-2], found among 2

# After a minute the handler is called again for each object, and db-1 succeeds.
wait 1m
----
first: again db-1@4
  of the same app: [db-1], found among 1
first: again web-1@2
  of the same app: [web-1 web-2], found among 2
first: again web-2@3
  of the same app: [web-1 web-2], found among 2

# web-2 changes, and the handler works on it.
update web-2
wait 1s
----

# The program is told to stop. It sends no more requests, and waits for the handler.
stop
----
trying again: the watch ended: context canceled

# It ends when the handler has returned.
wait 1m
----
first: updated web-2@5
  of the same app: [web-1 web-2], found among 2
the program ends: context canceled
