# A watch is open, and has brought the store to version 8.
start list-first
list web-1@5 web-2@6 rv=7
grant
send MODIFIED web-1@8

# While the reflector was busy, the server has compacted its history, and the version to go on from
# is gone. It says so inside the stream, with HTTP status 200 long since sent.
send ERROR 410 Expired
----
machine       0s  watching: expired, back off → listing
              0s    pause of 800ms
errors        0s  watching: server says 410 Expired: …
store   [web-1@8 web-2@6] version "8"

# A pause, then a list. It asks for 8 or later, not for "0", or it might be given an older state
# than the store already has. There is no limit, because a limit would mean exactly 8.
wait 800ms
----
asks       800ms  list resourceVersion=8
store   [web-1@8 web-2@6] version "8"

# It comes back without web-2, whose deletion nobody will ever report. That web-2 is missing, the
# store must notice by itself.
list web-1@30 rv=31
----
asks       800ms  watch resourceVersion=31
machine    800ms  listing: listed → opening watch
store   [web-1@30] version "31"

grant
send ERROR 410 Expired

# If even the list is refused because 31 is gone, there is a last resort: a list without a version
# means the latest. It is read from the server's database, so it is not the first choice.
wait 1600ms
refuse 410 Expired
----
asks        2.4s  list limit=500
machine     2.4s  listing: expired → listing latest
errors      2.4s  listing: server says 410 Expired: …
store   [web-1@30] version "31"

# It says 99, and from there the watch goes on. The next list will have a version to ask for again.
list web-1@30 rv=99
----
asks        2.4s  watch resourceVersion=99
machine     2.4s  listing latest: listed → opening watch
store   [web-1@30] version "99"
