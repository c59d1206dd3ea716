# A reflector lists, opens a watch, and gets an event: the store is at version 8.
start list-first
list web-1@5 web-2@6 rv=7
grant
send MODIFIED web-1@8

# The server has compacted its history, and no longer knows what came after 8. It says so inside the
# stream: HTTP status 200 was sent when the watch began.
send ERROR 410 Expired
----
machine       0s  watching: expired, back off → listing
              0s    pause of 800ms
errors        0s  watching: server says 410 Expired: …
store   [web-1@8 web-2@6] version "8"

# A pause, then a list. The reflector asks for 8 or later: at "0" it could get an older state than
# the store already has. It asks for no limit, because a limit would mean exactly 8.
wait 800ms
----
asks       800ms  list resourceVersion=8
store   [web-1@8 web-2@6] version "8"

# The list comes without web-2. No event will ever report that deletion: the store has to notice
# that web-2 is missing.
list web-1@30 rv=31
----
asks       800ms  watch resourceVersion=31
machine    800ms  listing: listed → opening watch
store   [web-1@30] version "31"

# This watch expires as well, and so does the list after it: version 31 is gone. What remains is a
# list without a version, which means the latest. A server has to ask its database for that, so it
# is not the first choice.
grant
send ERROR 410 Expired
wait 1600ms
refuse 410 Expired
----
asks        2.4s  list limit=500
machine     2.4s  listing: expired, ask for the latest → listing
errors      2.4s  listing: server says 410 Expired: …
store   [web-1@30] version "31"

# The latest is 99, and the watch goes on from there. The next list will ask for a version again.
list web-1@30 rv=99
----
asks        2.4s  watch resourceVersion=99
machine     2.4s  listing: listed → opening watch
store   [web-1@30] version "99"
