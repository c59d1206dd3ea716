# The input is the same as for the controller that writes from its handler. The handler of this one
# only queues the key and returns, and two workers write. Each worker takes a key, and one of them
# takes the third key when it is done. More workers would be faster, with no other change.
writes take=1s
create web-1 web-2 web-3
controller queue
wait 2500ms
----
web-1       1s  painted red
web-2       1s  painted red
web-3       2s  painted red
web-1 asks for red, is red
web-2 asks for red, is red
web-3 asks for red, is red

# All writes are done. Then web-1 changes five times in quick succession, and web-2 changes once.
wait 1s
paint web-1 blue green white black pink
paint web-2 blue
----
web-1 asks for pink, is red
web-2 asks for blue, is red
web-3 asks for red, is red

# The key of web-1 is queued once, however often web-1 changes. The write for the first change was
# on its way when the others came, so it is refused. The next attempt reads the latest state from
# the cache, and is accepted. web-2 has not waited, because another worker took it.
wait 5500ms
----
web-1     4.5s  write refused: 409 Conflict
          5.5s  painted pink
web-2     4.5s  painted blue
web-1 asks for pink, is pink
web-2 asks for blue, is blue
web-3 asks for red, is red

# web-3 changes, and its write fails. The worker queues the key again, for 5 ms later.
wait 10s
writes fail=yes
paint web-3 blue
----
web-3      19s  write refused: 500 InternalError
web-1 asks for pink, is pink
web-2 asks for blue, is blue
web-3 asks for blue, is red

# The second attempt succeeded. If it had not, a third one would have followed 10 ms later,
# then one after 20 ms, and so on, up to one a minute.
wait 1h
----
web-3  19.005s  painted blue
web-1 asks for pink, is pink
web-2 asks for blue, is blue
web-3 asks for blue, is blue
