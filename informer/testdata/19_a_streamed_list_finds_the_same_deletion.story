# An informer that streams its lists into the ordered queue has got two widgets and is watching.
informer streams=yes queue=RealFIFO
create web-1 web-2
handler greeter
run
wait 2s

# The connection is cut, and new ones are refused. Then web-2 is deleted, web-1 changes, and the
# server forgets its history: no watch can send these changes any more.
disconnect
delete web-2
update web-1 color=blue
compact

# The server can be reached again, and the watch gets 410 Expired. The reflector asks for another
# streaming list. It is complete when the bookmark has come, and goes into the queue as one delta.
# The queue compares nothing. The process loop does: it makes the list the content of the cache, and
# then tells the handlers what that has changed, deletions first.
reconnect
wait 30s
----
reflector     2.8s  watch from version 3
              2.8s  opening watch: opened → watching
              2.8s  watching: expired, back off → opening stream (410 too old resource version: 3 (5))
              4.4s  streaming list at version "3"
              4.4s  opening stream: opened → streaming
              4.4s  ADDED web-1@5
              4.4s  BOOKMARK at version 5
              4.4s  streaming: streamed → watching
queue         4.4s  ReplacedAll [web-1@5] at version 5
process       4.4s  pop ReplacedAll [web-1@5] at version 5
              4.4s  cache = 1 object at version 5
greeter       4.4s  deleted tombstone of web-2@3
              4.4s  updated web-1@5 from version 2
cache [web-1@5], synced: yes
handler greeter: synced: yes, waiting: 0
