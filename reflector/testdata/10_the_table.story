# This table makes all decisions of a reflector. Other code finds out the outcome of a state; what
# comes next is looked up here. A reflector that lists first has the last three states only: where
# this table leads back to "opening stream", that one leads to "listing".
table
----
in state        upon           do                            and enter
opening stream  opened         go on                         streaming
                busy           back off                      opening stream
                expired        ask for the latest            opening stream
                failed         go on                         listing
streaming       streamed       go on                         watching
                ended          go on                         opening stream
                busy           back off                      opening stream
                expired        ask for the latest            opening stream
                failed         go on                         listing
listing         listed         go on                         opening watch
                expired        ask for the latest            listing
                failed         back off                      opening stream
opening watch   opened         go on                         watching
                busy           back off                      opening watch
                expired        back off                      opening stream
                expired again  back off, ask for the latest  opening stream
                failed         back off                      opening stream
watching        ended          go on                         opening watch
                busy           back off                      opening watch
                expired        back off                      opening stream
                expired again  back off, ask for the latest  opening stream
                failed         back off                      opening stream
