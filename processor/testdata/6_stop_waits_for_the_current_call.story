# A handler takes a minute for each call. It is in its first call, and another notification waits,
# when the processor is stopped. The call is not interrupted: Run waits for it.
handler slow takes=1m
run
distribute add web-1
distribute add web-2
stop
----
slow  add web-1 @1             pending 1  ring 0/0   high water 1  removed

# The call returns, and the handler has ended. What waited is dropped.
wait 1m
----
slow  idle                     pending 0  ring 0/0   high water 1  removed, ended, dropped 1

# A stopped processor has no handlers.
distribute add web-3
----
slow  idle                     pending 0  ring 0/0   high water 1  removed, ended, dropped 1
