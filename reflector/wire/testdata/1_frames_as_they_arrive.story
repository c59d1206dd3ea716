# A watch is one endless response. Its bytes come in pieces of any size; the pieces mean nothing.
# Half an event is no event yet.
bytes {"type":"ADDED","object":{"metadata":{"name":"web-1",
----
nothing yet

# The last brace makes it one, at once: the reader does not wait for a newline.
bytes "resourceVersion":"5"}}}
----
bytes        0s  frame of 77 bytes
events       0s  ADDED web-1@5

# Two events may come in one piece. Braces in strings are letters.
bytes {"type":"MODIFIED","object":{"metadata":{"name":"web-1","resourceVersion":"6"},"text":"}{"}} {"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9"}}}
----
bytes        0s  frame of 92 bytes
             0s  frame of 65 bytes
events       0s  MODIFIED web-1@6
             0s  BOOKMARK @9

# An event without an object worth the name is skipped, and the stream goes on.
bytes {"type":"ADDED","object":{}} {"type":"DELETED","object":{"metadata":{"name":"web-1","resourceVersion":"10"}}}
----
bytes        0s  frame of 28 bytes
             0s  frame of 80 bytes
events       0s  DELETED web-1@10
errors       0s  skipped ADDED event: its object has no metadata.name

# An unknown type is another matter: what it would have changed cannot be known. The reflector
# gives up such a stream and lists.
bytes {"type":"WHAT"}
----
bytes        0s  frame of 15 bytes
errors       0s  cannot read watch event: unknown type "WHAT"
