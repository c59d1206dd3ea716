package faults

import (
	"time"

	"example.com/watchglass"
)

// scripts returns a row for each fault of faults.txt, under the same name. Some of them count what
// they have answered, so each run needs new ones.
func scripts() map[string]script {
	return map[string]script{
		"refused":      {watching: down(5 * time.Second), initial: down(5 * time.Second)},
		"dial-timeout": {watching: blackhole(40 * time.Second), initial: blackhole(40 * time.Second)},
		"no-answer":    refusedFor15s(fin),
		"accept-fin":   greeted((*conn).fin),
		"accept-rst":   greeted((*conn).reset),
		"rst":          both(rst),
		"rst-young": {
			watching: ended(first(1, "watch", young(rst))),
			initial:  scripted(first(1, "stream watch", young(rst))),
		},
		"fin-in-frame": both(finInFrame),
		"fin-between":  both(fin),
		"eof-empty":    shortWatches(func(*exchange, string) {}),
		"eof-event": shortWatches(func(x *exchange, version string) {
			x.event("MODIFIED", configMap("a", version))
		}),
		"eof-same": {watching: ended(during(10*time.Second, "watch",
			sends("BOOKMARK", bookmark("10", false))))},
		"eof-old": {watching: interrupted(eof), age: 5 * time.Second},
		"empty-200": {
			watching: ended(first(1, "watch", (*exchange).begin)),
			initial:  scripted(first(1, "stream watch", (*exchange).begin)),
		},

		"h2-rst-stream":   overHTTP2(both(rstStream)),
		"h2-goaway-close": overHTTP2(both(goAway(true))),
		"h2-goaway":       overHTTP2(script{watching: interrupted(goAway(false))}),
		"h2-rst":          overHTTP2(both(rst)),
		"h2-dead":         overHTTP2(lasting(80*time.Second, both(freeze))),
		"h1-dead":         lasting(11*time.Minute, both(freeze)),

		"410-http": {watching: ended(func(x *exchange) bool {
			old := x.kind == "watch" && x.version == "10"
			if old {
				x.respond(410, "application/json", expired())
			}
			return old
		})},
		"410-event": both(errorEvent(expired())),
		"410-again": {watching: listsAgain, lasts: time.Minute},

		"500":       refusedFor15s(says(500, "InternalError", "etcd is away", "")),
		"500-retry": refusedFor15s(says(500, "InternalError", "etcd is away", "1")),
		"503":       refusedFor15s(text(503, "text/plain", "no upstream")),
		"503-retry": refusedFor15s(says(503, "ServiceUnavailable", "unable to handle", "1")),
		"429":       refusedFor15s(says(429, "TooManyRequests", "try again later", "")),
		"429-retry": refusedFor15s(says(429, "TooManyRequests", "try again later", "1")),
		"401":       refusedFor15s(says(401, "Unauthorized", "Unauthorized", "")),
		"403":       refusedFor15s(says(403, "Forbidden", "configmaps is forbidden", "")),
		"404":       refusedFor15s(text(404, "text/plain", "404 page not found\n")),
		"html":      refusedFor15s(text(200, "text/html", "<html>log in</html>")),
		"403-watch": {watching: ended(forbidden), initial: scripted(forbidden)},
		"503-watch": {watching: ended(during(40*time.Second, "watch",
			text(503, "text/plain", "no upstream"))), lasts: 55 * time.Second},

		"504-http":  {watching: afterRestore(wasRestored, eof), lasts: time.Minute},
		"504-event": {watching: afterRestore(wasRestoredInStream, errorEvent(expired()))},
		"list-back": {watching: afterRestore(nil, errorEvent(expired()))},
		"event-500": both(errorEvent(status(500, "InternalError", "etcd is away"))),
		"event-429": both(errorEvent(status(429, "TooManyRequests", "too many requests"))),
		"event-504": both(errorEvent(tooLarge)),
		"event-403": both(errorEvent(status(403, "Forbidden", "no longer allowed"))),

		"bad-frame": odd(garbage, garbage),
		"unknown-type": odd(sends("RENAMED", configMap("a", "11")),
			sends("RENAMED", configMap("b", "6"))),
		"wrong-kind": odd(sends("ADDED", secret), sends("ADDED", secret)),
		"no-object":  odd(sends("MODIFIED", "null"), sends("ADDED", "null")),
		"no-name":    odd(sends("MODIFIED", configMap("", "11")), sends("ADDED", configMap("", "6"))),
		"misfit":     odd(sends("MODIFIED", misfit("a", "11")), sends("ADDED", misfit("b", "6"))),
		"no-version": odd(sends("MODIFIED", configMap("a", "")), sends("ADDED", configMap("b", ""))),
		"no-version-end": {watching: interrupted(func(x *exchange) {
			x.event("MODIFIED", configMap("a", ""))
			x.sleep(2 * time.Second)
		})},
		"old-event": {watching: interrupted(func(x *exchange) {
			x.event("MODIFIED", configMap("a", "4"))
			x.sleep(2 * time.Second)
		})},
		"bookmarks": {watching: interrupted(func(x *exchange) {
			x.event("BOOKMARK", bookmark("11", false))
			x.sleep(time.Second)
			x.event("BOOKMARK", bookmark("12", false))
			x.sleep(time.Second)
		})},

		"stream-400":       streams(says(400, "BadRequest", "sendInitialEvents?", "")),
		"stream-403":       streams(says(403, "Forbidden", "cannot watch", "")),
		"stream-422":       streams(says(422, "Invalid", "sendInitialEvents: Forbidden", "")),
		"stream-503-retry": streams(says(503, "ServiceUnavailable", "unavailable", "1")),
		"stream-no-end": {
			watching: func(s *server) {
				scripted(during(always, "stream", unmarked))(s)
				s.interrupt(errorEvent(expired()))
			},
			initial: scripted(during(always, "stream", unmarked)),
			lasts:   140 * time.Second,
		},
		"stream-eof": streams(someEvents),
		"stream-eof-2s": streams(func(x *exchange) {
			someEvents(x)
			x.sleep(2 * time.Second)
		}),
		"stream-rst": {initial: scripted(during(20*time.Second, "stream", func(x *exchange) {
			someEvents(x)
			x.sleep(50 * time.Millisecond)
			x.rst()
		}))},

		"slow-list": {initial: scripted(first(1, "list", func(x *exchange) {
			x.begin()
			if x.sleep(70 * time.Second) {
				x.list(before)
			}
		})), listFirst: true, lasts: 85 * time.Second},
		"dead-list": {initial: partOf(freeze), listFirst: true, lasts: 140 * time.Second},
		"cut-list": {initial: partOf(func(x *exchange) {
			x.sleep(200 * time.Millisecond)
			x.rst()
		}), listFirst: true},

		"transform": transformFails("11", odd(sends("MODIFIED", configMap("a", "11")), nil)),
		"transform-relist": transformFails("11",
			script{watching: interrupted(errorEvent(expired()))}),
		"transform-initial": transformFails("6", script{initial: func(*server) {}}),
	}
}

func overHTTP2(s script) script {
	s.http2 = true
	return s
}

func lasting(d time.Duration, s script) script {
	s.lasts = d
	return s
}

func transformFails(version string, s script) script {
	s.transformFails = version
	return s
}

// young ends a stream that is 0.3 s old and has brought nothing.
func young(how func(*exchange)) func(*exchange) {
	return func(x *exchange) {
		x.begin()
		x.sleep(300 * time.Millisecond)
		how(x)
	}
}

// streams answers all streaming lists.
func streams(how func(*exchange)) script {
	return script{initial: scripted(during(always, "stream", how)), lasts: 185 * time.Second}
}

var forbidden = during(always, "watch stream", says(403, "Forbidden", "cannot watch", ""))

// unmarked begins a streaming list that never gets its bookmark.
func unmarked(x *exchange) {
	someEvents(x)
	x.follow()
}

func garbage(x *exchange) {
	x.raw(`{"type":"MODIFIED","object":{"kind":"ConfigMap","metadata":{"name":"a",,}}}` + "\n")
}

const secret = `{"kind":"Secret","apiVersion":"v1","metadata":{"name":"s","namespace":"d",` +
	`"resourceVersion":"11"}}`

// misfit is a ConfigMap whose data is a number.
func misfit(name, version string) string {
	return `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"` + name +
		`","namespace":"d","resourceVersion":"` + version + `"},"data":7}`
}

// object is what the informer decodes objects into.
type object struct {
	watchglass.TypeMeta
	watchglass.ObjectMeta `json:"metadata"`
	Data                  map[string]string `json:"data"`
}

// GetKind and GetAPIVersion let the client skip an object of another kind.
func (o *object) GetKind() string       { return o.Kind }
func (o *object) GetAPIVersion() string { return o.APIVersion }
