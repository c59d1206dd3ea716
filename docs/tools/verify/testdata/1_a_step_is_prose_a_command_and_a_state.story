# This machine only remembers words. A step without dashes is quiet: its command is shown, and what
# it does is not.
remember web-1
remember web-2

# Dashes make a step loud. Below them stands the complete state, not only what is new.
remember db-1
----
remembers 3
  web-1
  web-2
  db-1

# Quotes keep spaces together, and a word of the form key=value is an option wherever it stands.
# Words are never options if they begin with a quote. Of two equal options, the last one counts.
remember times=1 "a = b" times=2
----
remembers 5
  web-1
  web-2
  db-1
  a = b
  a = b

# Forgetting leaves an empty state, which is a state like any other.
forget
----
