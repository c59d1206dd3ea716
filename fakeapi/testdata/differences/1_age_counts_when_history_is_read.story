# This server remembers events for four minutes, but it does not check their age while nothing is
# written. After five minutes a watch from version 1 still gets its event.
create widgets shop/web-1 color=red
wait 5m
watch w1 widgets from=1
----
w1 ADDED shop/web-1@2 u1 g1 red - -

# For an exact list of version 1 the server checks the age: the version is too old.
list widgets rv=1 match=Exact
----
410

# From now on version 1 is too old for a watch as well.
watch w2 widgets from=1
----
w2 ERROR 410
w2 end

# The watch that was open goes on.
patch widgets shop/web-1 type=merge color=blue
----
200 shop/web-1@3 u1 g2 blue - -
w1 MODIFIED shop/web-1@3 u1 g2 blue - -
