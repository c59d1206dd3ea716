# A reflector has listed and watches. Then the store begins to refuse events, as it would if a
# transform failed.
start list-first
list web-1@5 rv=7
grant
store refuses

# The store does not have web-2, so the version stays at 7. The watch is closed, and after a pause
# the reflector will list.
send ADDED web-2@8
----
events        0s  ADDED web-2@8
machine       0s  watching: failed, back off → listing
              0s    pause of 800ms
errors        0s  watching: store refused ADDED of "web-2" in namespace "shop" at resourceVersion "8": the store is full
store   [web-1@5] version "7"

# The list asks for 7 or later: the last version for which the store has everything.
wait 800ms
----
asks       800ms  list resourceVersion=7
store   [web-1@5] version "7"

# The store takes events again. The list brings web-2, and the next watch begins at the version of
# that list.
store takes
list web-1@5 web-2@8 rv=9
----
asks       800ms  watch resourceVersion=9
machine    800ms  listing: listed → opening watch
store   [web-1@5 web-2@8] version "9"
