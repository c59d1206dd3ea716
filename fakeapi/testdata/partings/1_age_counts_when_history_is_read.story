# History is remembered for four minutes here. Nobody looks at the clock, though, while nothing is
# written: after five, version 1 can still be watched from.
create widgets shop/web-1 color=red
wait 5m
watch w1 widgets from=1
----
w1 ADDED shop/web-1@2 u1 g1 red - -

# A list of that moment does look at it, and finds that it is too late.
list widgets rv=1 match=Exact
----
410

# From now on it is too late for watches, too.
watch w2 widgets from=1
----
w2 ERROR 410
w2 end

# Who is watching already goes on: what it has not read is not forgotten.
patch widgets shop/web-1 type=merge color=blue
----
200 shop/web-1@3 u1 g2 blue - -
w1 MODIFIED shop/web-1@3 u1 g2 blue - -
