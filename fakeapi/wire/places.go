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
)

// NewPlaces returns the places of one server.
func NewPlaces() Places { return make(Places, inAll) }

// Enter takes a place for a request, and returns the function that frees it. It waits while the
// request's own connection has none free: then other requests of the same client are being served,
// or the client does not read their answers. The error is that of the request's context, or a
// *status.Status with code 429 if the whole server has none free.
func (p Places) Enter(r *http.Request) (leave func(), err error) {
	own := placesOf(r)
	select {
	case own <- struct{}{}: // also if the client has disconnected: a fault may have delayed its write
	default:
		select {
		case own <- struct{}{}:
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
	select {
	case p <- struct{}{}:
		return func() { <-p; <-own }, nil
	default:
		<-own
		return nil, status.TooManyRequests()
	}
}

// placesOf returns the places of a request's connection for its kind of requests.
func placesOf(r *http.Request) chan struct{} {
	c, ok := r.Context().Value(connKey{}).(*conn)
	switch {
	case !ok: // in an http.Server of the user's own
		return make(chan struct{}, 1)
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		return c.reads
	}
	return c.writes
}
