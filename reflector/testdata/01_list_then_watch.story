# This reflector is told to begin with a plain list. It has no version to ask for yet, so it asks
# for "0", which means any version that the server has in memory, and for 500 objects a page.
start list-first
----
asks          0s  list limit=500&resourceVersion=0
store   [] version ""

# The server answers with two objects at version 7. The store takes them as its whole content, and
# only then is the version recorded. The reflector asks for a watch from that version.
list web-1@5 web-2@6 rv=7
----
asks          0s  watch resourceVersion=7
machine       0s  listing: listed → opening watch
store   [web-1@5 web-2@6] version "7"

# The server grants the watch. Nothing has happened since version 7, so no event comes.
grant
----
machine       0s  opening watch: opened → watching
store   [web-1@5 web-2@6] version "7"

# Each event changes the store, and its version is recorded: the next watch would begin there.
send MODIFIED web-1@8
----
events        0s  MODIFIED web-1@8
store   [web-1@8 web-2@6] version "8"

# A deletion carries the last state of the object, and the version of the deletion.
send DELETED web-2@9
----
events        0s  DELETED web-2@9
store   [web-1@8] version "9"

# A bookmark changes only the version: other collections have changed, this one has not.
send BOOKMARK 42
----
events        0s  BOOKMARK @42
store   [web-1@8] version "42"
