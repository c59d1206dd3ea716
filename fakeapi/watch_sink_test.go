package fakeapi

import (
	"net/http"
	"time"
)

// A sink is the client's end of a watch without any network: what the server
// writes goes to a function. It is for tests and benchmarks of the server's own
// part, and for more watchers than this machine has sockets.
type sink struct {
	header http.Header
	write  func([]byte) // gets every piece that the server writes; the server may reuse its memory
}

func newSink(write func([]byte)) *sink { return &sink{header: http.Header{}, write: write} }

func (k *sink) Header() http.Header              { return k.header }
func (k *sink) WriteHeader(int)                  {}
func (k *sink) Flush()                           {}
func (k *sink) SetWriteDeadline(time.Time) error { return nil }
func (k *sink) Write(b []byte) (int, error)      { k.write(b); return len(b), nil }
