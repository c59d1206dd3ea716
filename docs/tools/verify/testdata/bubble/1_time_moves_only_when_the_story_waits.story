# An alarm is set for an hour from now. Its goroutine sleeps, so nothing can be seen yet.
alarm bedside 1h
----

# Fifty-nine minutes of virtual time pass, and still nothing happens.
wait 59m
----

# A minute later it rings, to the second: the clock stands still while the story does not wait.
wait 1m
----
bedside   1h0m0s  rings

# A report during a quiet step is not shown later. The alarm in the attic rings in the first wait,
# so the second wait shows nothing.
alarm attic 1s
wait 5s
wait 5s
----

# Two alarms ring in one step. Each has a lane of its own, and the order of the lanes is fixed,
# whichever alarm rings first.
alarm kitchen 2s
alarm bedside 5s
wait 10s
----
bedside  1h0m15s  rings
kitchen  1h0m12s  rings
