# An alarm is set for an hour from now. Its goroutine sleeps, so nothing can be seen yet.
alarm bedside 1h
----

# Fifty-nine minutes pass, in no time at all, and still nothing happens.
wait 59m
----

# A minute later it rings, on the second: the clock stood still while the story did not wait.
wait 1m
----
bedside   1h0m0s  rings

# What happens during a quiet step is not told later. The alarm in the attic rings in the first
# wait, so the second one shows nothing.
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
