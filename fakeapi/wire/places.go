package wire

import (
	"net/http"

	"example.com/watchglass/fakeapi/status"
)

// Places limit how many requests are in the server at once: from the moment when their body is read
// until their answer has been read. Watches need no place, because clients keep them for as long as
// they like.
type Places chan struct{}

// A connection of HTTP/2 has a few of these places for itself, so that one client cannot take those
// of others: sixty-four of them leave some free.
const (
	inAll  = 600 // as in a real server: 400 reads and 200 writes
	reads  = 8   // of one connection
	writes = 1   // of one connection: their bodies may have 3 MiB each
	queue  = 16  // of one connection: writes, with those that wait, whose bodies fill its window
)

// NewPlaces returns the places of one server.
func NewPlaces() Places { return make(Places, inAll) }

// Enter takes a place for a request, and returns the function that frees it. It waits while the
// request's own connection has none free: then other requests of the same client are being served,
// or the client does not read their answers. The error is that of the request's context, or a
// *status.Status with code 429 if the whole server has none free, or too many writes of the
// connection wait.
func (p Places) Enter(r *http.Request) (leave func(), err error) {
	var t taken
	c := placesOf(r)
	own := c.reads
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		if own = c.writes; !t.try(c.queue) {
			return nil, status.TooManyRequests()
		}
	}
	// Also if the client has disconnected: a fault may have delayed a write that is to be made.
	if !t.try(own) {
		select {
		case own <- struct{}{}:
			t = append(t, own)
		case <-r.Context().Done():
			t.free()
			return nil, r.Context().Err()
		}
	}
	if !t.try(p) {
		t.free()
		return nil, status.TooManyRequests()
	}
	return t.free, nil
}

// taken has the places that a request has taken.
type taken []chan struct{}

// try takes a place, and reports whether one was free.
func (t *taken) try(places chan struct{}) bool {
	select {
	case places <- struct{}{}:
		*t = append(*t, places)
		return true
	default:
		return false
	}
}

func (t taken) free() {
	for _, places := range t {
		<-places
	}
}

// connPlaces are the places of one connection.
type connPlaces struct{ reads, writes, queue chan struct{} }

func newConnPlaces() connPlaces {
	return connPlaces{make(chan struct{}, reads), make(chan struct{}, writes),
		make(chan struct{}, queue)}
}

// placesOf returns the places of a request's connection.
func placesOf(r *http.Request) connPlaces {
	if c, ok := r.Context().Value(connKey{}).(*conn); ok {
		return c.connPlaces
	}
	return newConnPlaces() // in an http.Server of the user's own
}
