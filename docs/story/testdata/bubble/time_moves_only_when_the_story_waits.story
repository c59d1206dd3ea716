# An alarm is set for an hour from now. Its goroutine sleeps, so nothing can be seen yet.
alarm bedside 1h
----

# Fifty-nine minutes pass, in no time at all, and still nothing happens.
wait 59m
----

# Now it rings, on the second: the clock stood still while nobody waited.
wait 1m
----
bedside   1h0m0s  rings

# What a quiet step did is not told later: an alarm rang here, unheard.
alarm attic 1s
wait 5s
wait 5s
----

# Two alarms ring in one step. Each has a lane of its own, and lanes stand in their own order,
# whichever of the two was first.
alarm kitchen 2s
alarm bedside 5s
wait 10s
----
bedside  1h0m15s  rings
kitchen  1h0m12s  rings
