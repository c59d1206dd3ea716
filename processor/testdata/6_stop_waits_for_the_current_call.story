handler slow takes=1m
run
distribute add web-1
distribute add web-2

# Stopping ends nothing by force. The handler is in its call, and Run waits for it.
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
