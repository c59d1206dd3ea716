package faults

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"example.com/watchglass"
)

// script is what the server does for one fault. watching is called when a watch is open, initial
// before the client starts.
type script struct {
	watching, initial func(*server)
	http2, listFirst  bool
	age               time.Duration // how old the watch is when the fault begins; zero: 2 s
	lasts             time.Duration // how long is recorded after that; zero: 45 s
	transformFails    string        // for the object at this version
}

func (s script) transform(obj watchglass.Object) (watchglass.Object, error) {
	if s.transformFails != "" && obj.GetResourceVersion() == s.transformFails {
		return nil, errors.New("no transform for this")
	}
	return obj, nil
}

// refusing is how long a server refuses in most of the faults.
const refusing = 15 * time.Second

// How the stream that is open goes on.

func eof(*exchange)          {}
func rst(x *exchange)        { x.rst() }
func fin(x *exchange)        { x.fin() }
func freeze(x *exchange)     { x.freeze() }
func rstStream(*exchange)    { panic(http.ErrAbortHandler) } // net/http sends RST_STREAM
func someEvents(x *exchange) { x.event("ADDED", configMap("a", "5")) }

func finInFrame(x *exchange) {
	x.raw(`{"type":"MODIFIED","object":{"kind":"Conf`)
	x.sleep(100 * time.Millisecond)
	x.fin()
}

func errorEvent(status string) func(*exchange) {
	return func(x *exchange) {
		x.event("ERROR", status)
		x.sleep(100 * time.Millisecond)
	}
}

// goAway sends GOAWAY, then closes the connection or lets its streams live.
func goAway(closes bool) func(*exchange) {
	return func(x *exchange) {
		frame := []byte{0, 0, 8, 7, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0}
		_, _ = x.conn.far.Write(frame)
		x.sleep(200 * time.Millisecond)
		if closes {
			x.fin()
		}
		x.follow()
	}
}

// interrupted goes on with the stream that is open.
func interrupted(how func(*exchange)) func(*server) {
	return func(s *server) { s.interrupt(how) }
}

// brokenInitial goes on with the first streaming list after its first event.
func brokenInitial(how func(*exchange)) func(*server) {
	return scripted(first(1, "stream", func(x *exchange) {
		someEvents(x)
		x.sleep(100 * time.Millisecond)
		how(x)
	}))
}

func both(how func(*exchange)) script {
	return script{watching: interrupted(how), initial: brokenInitial(how)}
}

// odd sends something odd about a@11 in the stream that is open, two seconds later the deletion of
// b, and two seconds later ends the stream; or it sends it in the place of b in the first list.
func odd(watching, initial func(*exchange)) script {
	s := script{watching: interrupted(func(x *exchange) {
		watching(x)
		if x.sleep(2 * time.Second) {
			x.event("DELETED", configMap("b", "12"))
			x.sleep(2 * time.Second)
		}
	})}
	if initial != nil {
		s.initial = scripted(first(1, "stream", func(x *exchange) {
			someEvents(x)
			initial(x)
			x.event("BOOKMARK", bookmark("10", true))
			x.follow()
		}))
	}
	return s
}

func sends(kind, object string) func(*exchange) {
	return func(x *exchange) { x.event(kind, object) }
}

// scripted sets how requests are answered; ended ends the stream that is open as well.
func scripted(answer func(*exchange) bool) func(*server) {
	return func(s *server) { s.set(func() { s.answer = answer }) }
}

func ended(answer func(*exchange) bool) func(*server) {
	return func(s *server) {
		scripted(answer)(s)
		s.interrupt(eof)
	}
}

// first answers the first n requests of some kinds.
func first(n int, kinds string, how func(*exchange)) func(*exchange) bool {
	return func(x *exchange) bool {
		mine := false
		x.set(func() {
			mine = strings.Contains(kinds, x.kind) && n > 0
			if mine {
				n--
			}
		})
		if mine {
			how(x)
		}
		return mine
	}
}

// during answers all requests of some kinds for a time after the fault began.
func during(d time.Duration, kinds string, how func(*exchange)) func(*exchange) bool {
	return func(x *exchange) bool {
		if !strings.Contains(kinds, x.kind) || time.Since(x.began) > d {
			return false
		}
		how(x)
		return true
	}
}

const everything, always = "list watch stream", time.Hour

// says refuses. retryAfter is a header, "" for none.
func says(code int, reason, message, retryAfter string) func(*exchange) {
	return func(x *exchange) {
		if retryAfter != "" {
			x.w.Header().Set("Retry-After", retryAfter)
		}
		x.respond(code, "application/json", status(code, reason, message))
	}
}

// text answers as a proxy does.
func text(code int, mediaType, body string) func(*exchange) {
	return func(x *exchange) { x.respond(code, mediaType, body) }
}

func refusedFor15s(how func(*exchange)) script {
	answer := during(refusing, everything, how)
	return script{watching: ended(answer), initial: scripted(answer), lasts: 55 * time.Second}
}

// unreachable lets no connection through for a time.
func unreachable(d time.Duration, change func(s *server, begins bool)) func(*server) {
	return func(s *server) {
		s.set(func() { change(s, true) })
		s.hangUp()
		time.AfterFunc(d, func() { s.set(func() { change(s, false) }) })
	}
}

func down(d time.Duration) func(*server) {
	return unreachable(d, func(s *server, begins bool) { s.refuse = begins })
}

func blackhole(d time.Duration) func(*server) {
	return unreachable(d, func(s *server, begins bool) {
		if begins {
			s.hole = make(chan struct{})
		} else {
			close(s.hole)
		}
	})
}

func greeted(how func(*conn)) script {
	play := unreachable(refusing, func(s *server, begins bool) {
		s.greet = nil
		if begins {
			s.greet = how
		}
	})
	return script{watching: play, initial: play}
}

// shortWatches answers the next three watches with streams that end within 0.3 s.
func shortWatches(what func(*exchange, string)) script {
	n := 12
	return script{watching: ended(first(3, "watch", func(x *exchange) {
		n++
		x.begin()
		what(x, string(rune('0'+n/10))+string(rune('0'+n%10)))
		x.sleep(300 * time.Millisecond)
	}))}
}

// wasRestored answers as a server whose database was restored: it refuses 10.
func wasRestored(x *exchange) bool {
	if x.version != "10" {
		return false
	}
	x.w.Header().Set("Retry-After", "1")
	x.respond(504, "application/json", tooLarge)
	return true
}

func wasRestoredInStream(x *exchange) bool {
	if x.version != "10" || x.kind == "list" {
		return wasRestored(x)
	}
	if x.kind == "stream" {
		errorEvent(tooLarge)(x)
		return true
	}
	x.begin()
	x.follow()
	return true
}

// afterRestore ends the stream that is open on a restored server.
func afterRestore(answer func(*exchange) bool, how func(*exchange)) func(*server) {
	return func(s *server) {
		s.set(func() { s.world, s.answer = restored, answer })
		s.interrupt(how)
	}
}

// listsAgain refuses each watch from 10 with 410, and returns version 10 to each list at 10.
func listsAgain(s *server) {
	s.set(func() {
		s.world = before
		s.answer = during(40*time.Second, everything, func(x *exchange) {
			switch {
			case x.version == "":
				x.set(func() { x.world = afterwards })
				x.healthy()
			case x.version != "10":
				x.healthy()
			case x.kind == "list":
				x.list(before)
			case x.kind == "stream":
				someEvents(x)
				x.event("ADDED", configMap("b", "6"))
				x.event("BOOKMARK", bookmark("10", true))
				x.sleep(100 * time.Millisecond)
				errorEvent(expired())(x)
			default:
				errorEvent(expired())(x)
			}
		})
	})
	s.interrupt(errorEvent(expired()))
}

// partOf sends the head of a list, and then does something else.
func partOf(then func(*exchange)) func(*server) {
	return scripted(first(1, "list", func(x *exchange) {
		x.raw(strings.Replace(listHead, "%s", "10", 1))
		x.sleep(100 * time.Millisecond)
		then(x)
	}))
}
