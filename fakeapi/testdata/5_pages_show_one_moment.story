# A large collection can be read in pages. The first one comes with a token for the rest.
create web-1 web-2 web-3 web-4
list limit=2
----
list: version 5: [web-1@2 red web-2@3 red], and a token for 2 more
objects [web-1@2 web-2@3 web-3@4 web-4@5], version 5
history since 1: [2 3 4 5]

# Meanwhile the collection changes: the next page loses an object and gains one, and one that has
# been read already changes color.
delete web-3
create web-5
update web-1 color=blue
----
server       0s  MODIFIED web-1, version 8
objects [web-1@8 web-2@3 web-4@5 web-5@7], version 8
history since 1: [2 3 4 5 6 7 8]

# The page shows none of it. All pages are of the moment of the first, because the token holds its
# version, so that a watch from 5 will bring the three changes, each once.
next
----
list: version 5: [web-3@4 red web-4@5 red]
objects [web-1@8 web-2@3 web-4@5 web-5@7], version 8
history since 1: [2 3 4 5 6 7 8]

# A new list is of now.
list limit=2
----
list: version 8: [web-1@8 blue web-2@3 red], and a token for 2 more
objects [web-1@8 web-2@3 web-4@5 web-5@7], version 8
history since 1: [2 3 4 5 6 7 8]

# Old states are as mortal as old events. After a compaction the token is too old: HTTP 410, and
# the client has to begin again. (The answer has another token, for who prefers a list of two
# moments to none.)
create web-6
compact
next
----
list: HTTP 410 after 0s: The provided continue parameter is too old to display a cons...
objects [web-1@8 web-2@3 web-4@5 web-5@7 web-6@9], version 9
history since 9: []
