# What a reflector that lists first decides, in one table. Other code finds out what the outcome of a
# state was; what comes next is looked up here.
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
