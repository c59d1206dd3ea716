# A large collection can be read in pages. The first page comes with a token for the rest.
create web-1 web-2 web-3 web-4
list limit=2
----
list: version 5: [web-1@2 red web-2@3 red], and a token for 2 more
objects [web-1@2 web-2@3 web-3@4 web-4@5], version 5
history since 1: [2 3 4 5]

# Before the next page is read, web-3 is deleted, web-5 is created, and web-1, which has been read,
# turns blue.
delete web-3
create web-5
update web-1 color=blue
----
server       0s  MODIFIED web-1, version 8
objects [web-1@8 web-2@3 web-4@5 web-5@7], version 8
history since 1: [2 3 4 5 6 7 8]

# The page shows none of it. The token holds the version of the first page, so all pages show that
# moment, and a watch from 5 will bring the three changes, each once.
next
----
list: version 5: [web-3@4 red web-4@5 red]
objects [web-1@8 web-2@3 web-4@5 web-5@7], version 8
history since 1: [2 3 4 5 6 7 8]

# A new list shows the present.
list limit=2
----
list: version 8: [web-1@8 blue web-2@3 red], and a token for 2 more
objects [web-1@8 web-2@3 web-4@5 web-5@7], version 8
history since 1: [2 3 4 5 6 7 8]

# A compaction drops old states together with old events. The token is now too old: HTTP 410, and
# the client has to begin again. (The answer has another token, for clients that accept a list of
# two moments.)
create web-6
compact
next
----
list: HTTP 410 after 0s: The provided continue parameter is too old to display a cons...
objects [web-1@8 web-2@3 web-4@5 web-5@7 web-6@9], version 9
history since 9: []
