# A watch is one endless response, and its bytes arrive in pieces of any size. Half an event is no
# event yet.
bytes {"type":"ADDED","object":{"metadata":{"name":"web-1",
----
nothing yet

# With the last brace the event is complete, and it is delivered at once: the reader does not wait
# for a newline.
bytes "resourceVersion":"5"}}}
----
bytes        0s  frame of 77 bytes
events       0s  ADDED web-1@5

# Two events may arrive in one piece. Braces inside strings do not count.
bytes {"type":"MODIFIED","object":{"metadata":{"name":"web-1","resourceVersion":"6"},"text":"}{"}} {"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9"}}}
----
bytes        0s  frame of 92 bytes
             0s  frame of 65 bytes
events       0s  MODIFIED web-1@6
             0s  BOOKMARK @9

# An event whose object has no name may be about any object. The reflector closes such a stream, and
# fetches everything.
bytes {"type":"ADDED","object":{}}
----
bytes        0s  frame of 28 bytes
errors       0s  cannot read watch event: ADDED event: it has no metadata.name (namespace "", resourceVersion "")

# It cannot be known what an event of an unknown type has changed. The same follows.
bytes {"type":"WHAT"}
----
bytes        0s  frame of 15 bytes
errors       0s  cannot read watch event: unknown type "WHAT" in a frame that begins "{\"type\":\"WHAT\"}"
