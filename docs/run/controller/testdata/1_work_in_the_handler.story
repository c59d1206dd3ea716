# Three widgets ask for a color, and a write takes a second. This controller writes from its
# handler. The handler is called once at a time, so one widget waits for the write of another. With
# a hundred widgets, the last one would wait for a minute and a half.
writes take=1s
create web-1 web-2 web-3
controller handler
wait 2500ms
----
web-1       1s  painted red
web-2       2s  painted red
web-1 asks for red, is red
web-2 asks for red, is red
web-3 asks for red, is not painted yet

# All writes are done. Then web-1 changes five times in quick succession, and web-2 changes once.
wait 1s
paint web-1 blue green white black pink
paint web-2 blue
----
web-1 asks for pink, is red
web-2 asks for blue, is red
web-3 asks for red, is red

# The handler is told of all five states of web-1, and makes a write for each, although only the
# last one counts. Four of these writes are refused, because the server holds a newer state already.
# web-2 waits behind all of them.
wait 5500ms
----
web-1     4.5s  write refused: 409 Conflict
          5.5s  write refused: 409 Conflict
          6.5s  write refused: 409 Conflict
          7.5s  write refused: 409 Conflict
          8.5s  painted pink
web-1 asks for pink, is pink
web-2 asks for blue, is red
web-3 asks for red, is red

# web-3 changes, and its write fails. The handler has been told of the change, and it will not be
# told again.
wait 10s
writes fail=yes
paint web-3 blue
----
web-3      19s  write refused: 500 InternalError
web-1 asks for pink, is pink
web-2 asks for blue, is blue
web-3 asks for blue, is red

# An hour later, the status of web-3 is still wrong. It stays wrong until web-3 changes the next
# time, or the program is restarted. A resync would call the handler again, and hide the mistake.
wait 1h
----
web-1 asks for pink, is pink
web-2 asks for blue, is blue
web-3 asks for blue, is red
