# A quirk, kept because client-go has it. This handler wants no resyncs ...
handler never
run

# ... and yet hears that nothing has changed, as a relist may say: handlers are born as if they were
# due, and nobody has asked yet who is. In an informer without resyncs nobody ever will.
distribute sync=yes resync web-1
----
never       0s  ← update web-1 @1→@1
never idle                     pending 0  ring 0/0   high water 1

# Once somebody asks, it is known that this one isn't due ...
due
----
anybody due? false
never idle                     pending 0  ring 0/0   high water 1

# ... and from then on it is left in peace.
distribute sync=yes resync web-1
----
never idle                     pending 0  ring 0/0   high water 1
