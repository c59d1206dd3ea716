# A reflector has listed, and asks for a watch.
start list-first
list web-1@5 rv=7

# The watch is granted, and ends at once without an event. If the reflector asked again at once, it
# could do so 13,000 times a second. So there is a pause, and then a list, in case the server has
# trouble with that version.
grant
end
----
machine       0s  watching: failed, back off → listing
              0s    pause of 800ms
errors        0s  watching: very short watch: ended after 0s without a single event: EOF
store   [web-1@5] version "7"

# The list asks for 7 or later. With a version and without a limit, the server may answer from its
# cache.
wait 800ms
----
asks       800ms  list resourceVersion=7
store   [web-1@5] version "7"

# The list has the same version, so nothing was missed. The reflector asks for the watch again.
list web-1@5 rv=7
----
asks       800ms  watch resourceVersion=7
machine    800ms  listing: listed → opening watch
store   [web-1@5] version "7"
