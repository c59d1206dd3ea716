# A watch has been asked for.
start list-first
list web-1@5 rv=7

# It ends at once and has brought nothing. To ask again at once might be a storm, so there is a
# pause, and then a list, in case the version is the trouble.
grant
end
----
machine       0s  watching: very short, back off → listing
              0s    pause of 800ms
errors        0s  very short watch: ended after 0s without a single event: EOF
store   [web-1@5] version "7"

# The list asks for 7 or later. It costs little: with a version, and without a limit, the server
# may answer from its cache.
wait 800ms
----
asks       800ms  list resourceVersion=7
store   [web-1@5] version "7"

# It comes back with the same version, so nothing has been missed. The watch is asked for again.
list web-1@5 rv=7
----
asks       800ms  watch resourceVersion=7
machine    800ms  listing: listed → opening watch
store   [web-1@5] version "7"
