# This table makes all decisions of a reflector that lists first. Other code finds out the outcome
# of a state. What comes next is looked up here.
table list-first
----
in state              upon               do        and enter
listing               listed             go on     opening watch
                      expired            go on     listing latest
                      version too large  go on     listing latest
                      failed             back off  listing
                      stop               go on     stopped
listing latest        listed             go on     opening watch
                      expired            back off  listing latest
                      version too large  back off  listing latest
                      failed             back off  listing latest
                      stop               go on     stopped
opening watch         opened             go on     watching
                      busy               back off  opening watch
                      idle               back off  opening watch
                      expired            back off  listing
                      expired again      back off  listing latest
                      version too large  back off  listing
                      failed             back off  listing
                      stop               go on     stopped
watching              ended              go on     opening watch
                      idle               go on     opening watch
                      internal error     go on     opening watch
                      cut short          back off  opening watch
                      busy               back off  opening watch
                      very short         back off  listing
                      expired            back off  listing
                      expired again      back off  listing latest
                      version too large  back off  listing
                      failed             back off  listing
                      stop               go on     stopped

# By default a reflector streams its lists, and has four more states. Where the other table leads
# from a watch to a list, this one leads to a stream. A list that fails leads to a stream as well.
table
----
in state              upon               do        and enter
opening stream        opened             go on     streaming
                      busy               back off  opening stream
                      expired            go on     opening latest stream
                      version too large  go on     opening latest stream
                      idle               go on     listing
                      unfinished         go on     listing
                      failed             go on     listing
                      stop               go on     stopped
opening latest stream opened             go on     streaming latest
                      busy               back off  opening latest stream
                      expired            go on     listing latest
                      version too large  go on     listing latest
                      idle               go on     listing latest
                      unfinished         go on     listing latest
                      failed             go on     listing latest
                      stop               go on     stopped
streaming             streamed           go on     watching
                      ended              back off  opening stream
                      cut short          back off  opening stream
                      busy               back off  opening stream
                      expired            back off  opening latest stream
                      version too large  back off  opening latest stream
                      very short         go on     listing
                      unfinished         go on     listing
                      idle               go on     listing
                      failed             go on     listing
                      stop               go on     stopped
streaming latest      streamed           go on     watching
                      ended              back off  opening latest stream
                      cut short          back off  opening latest stream
                      busy               back off  opening latest stream
                      expired            go on     listing latest
                      version too large  go on     listing latest
                      very short         go on     listing latest
                      unfinished         go on     listing latest
                      idle               go on     listing latest
                      failed             go on     listing latest
                      stop               go on     stopped
listing               listed             go on     opening watch
                      expired            go on     listing latest
                      version too large  go on     listing latest
                      failed             back off  opening stream
                      stop               go on     stopped
listing latest        listed             go on     opening watch
                      expired            back off  opening latest stream
                      version too large  back off  opening latest stream
                      failed             back off  opening latest stream
                      stop               go on     stopped
opening watch         opened             go on     watching
                      busy               back off  opening watch
                      idle               back off  opening watch
                      expired            back off  opening stream
                      expired again      back off  opening latest stream
                      version too large  back off  opening stream
                      failed             back off  opening stream
                      stop               go on     stopped
watching              ended              go on     opening watch
                      idle               go on     opening watch
                      internal error     go on     opening watch
                      cut short          back off  opening watch
                      busy               back off  opening watch
                      very short         back off  opening stream
                      expired            back off  opening stream
                      expired again      back off  opening latest stream
                      version too large  back off  opening stream
                      failed             back off  opening stream
                      stop               go on     stopped
