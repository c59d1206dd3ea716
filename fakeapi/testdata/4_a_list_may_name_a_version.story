# web-1 is created and changed, and web-2 is created. A list that names no version gets the latest
# state. A real server asks its database for the newest version first.
create web-1
update web-1 color=blue
create web-2
list
----
list: version 4: [web-1@3 blue web-2@4 red]
objects [web-1@3 web-2@4], version 4
history since 1: [2 3 4]

# "0" means: any version that the server has at hand. A real server answers from its cache, which may
# lag. This server is always up to date. A reflector's first list is like this.
list at=0
----
list: version 4: [web-1@3 blue web-2@4 red]
objects [web-1@3 web-2@4], version 4
history since 1: [2 3 4]

# A number means: this version or a newer one. A client that lists again after a failure names the
# version that it has, so that it never goes back.
list at=3
----
list: version 4: [web-1@3 blue web-2@4 red]
objects [web-1@3 web-2@4], version 4
history since 1: [2 3 4]

# With match=Exact the number means exactly this version: web-2 is not there yet.
list at=3 match=Exact
----
list: version 3: [web-1@3 blue]
objects [web-1@3 web-2@4], version 4
history since 1: [2 3 4]

# A version that does not exist yet is not refused immediately. The server waits three seconds for
# it, and then asks the client to try again later.
list at=99
----
list: HTTP 504 after 3s: Timeout: Too large resource version: 99, current: 4...
objects [web-1@3 web-2@4], version 4
history since 1: [2 3 4]

# After a compaction an exact list of version 3 is refused, and a list of version 3 or newer is not.
compact
list at=3 match=Exact
----
list: HTTP 410 after 0s: The resourceVersion for the provided list is too old....
objects [web-1@3 web-2@4], version 4
history since 4: []

# A list of version 3 or newer is still answered, with the present state.
list at=3
----
list: version 4: [web-1@3 blue web-2@4 red]
objects [web-1@3 web-2@4], version 4
history since 4: []
