# The network is slow: what the server sends arrives a second later. A controller keeps one pod for
# each owner. Its cache has no pod yet.
informer lag=1s
run
wait 10s

# reconcile runs, finds no pod in the cache, and creates one. The cache does not have it yet.
create pod-1
----
server         10s  ADDED pod-1, version 2
cache [], synced: yes

# The owner changes at the same moment, so reconcile runs again. It finds no pod in the cache, and
# creates another one.
create pod-2
----
server         10s  ADDED pod-2, version 3
cache [], synced: yes

# Two seconds later the cache has both. No event tells the controller that there is one too many.
wait 2s
----
reflector      11s  ADDED pod-1@2
               12s  ADDED pod-2@3
queue          11s  pod-1: Added pod-1@2
               12s  pod-2: Added pod-2@3
process        11s  pop pod-1: Added pod-1@2
               11s  cache + pod-1@2
               12s  pop pod-2: Added pod-2@3
               12s  cache + pod-2@3
cache [pod-1@2 pod-2@3], synced: yes
