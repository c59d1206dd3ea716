package fakeapi

import (
	"bytes"
	"errors"
	"net/http"
	"time"
)

// A frameWriter puts the frames of one watch on the wire, and is where injected
// faults meet a stream.
type frameWriter struct {
	server *Server
	q      *request
	ctl    *http.ResponseController
	out    batch  // what is not flushed yet
	held   []byte // a frame that a fault holds back until after the next
	silent bool   // a fault has made the stream go silent

	// err is the first error, after which nothing is written any more.
	err error
}

var (
	// errBroken: a fault broke the stream off; the connection is not to be
	// ended cleanly.
	errBroken = errors.New("fakeapi: stream broken off by a fault")
	// errEnded: a fault ended the stream cleanly.
	errEnded = errors.New("fakeapi: stream ended by a fault")
)

func newFrameWriter(s *Server, q *request, w http.ResponseWriter) *frameWriter {
	return &frameWriter{server: s, q: q, ctl: http.NewResponseController(w), out: batch{w: w}}
}

// begin sends the headers, at once: a client knows that its watch is
// established before anything happens. It is false if a fault ends it here.
func (o *frameWriter) begin() bool {
	o.out.w.Header().Set("Content-Type", "application/json")
	o.out.w.WriteHeader(http.StatusOK)
	o.err = o.ctl.Flush()
	if _, hit := o.server.faults.take(o.q, atHeaders, o.trace()); hit {
		o.err = errEnded
	}
	return o.err == nil
}

// flush pushes what is written to the client.
func (o *frameWriter) flush() {
	if o.err != nil || o.out.empty() {
		return
	}
	if o.err = o.out.end(); o.err == nil {
		o.err = o.ctl.Flush()
	}
}

// gather says that many frames are coming, and that each may be overwritten as
// soon as write has returned.
func (o *frameWriter) gather() {
	if o.err == nil {
		o.err = o.out.gather()
	}
}

// abort makes a write that blocks fail. It may be called at any time before the
// handler returns.
func (o *frameWriter) abort() { _ = o.ctl.SetWriteDeadline(time.Now()) }

// reason is why the stream is over, when err is set.
func (o *frameWriter) reason() EndReason {
	if errors.Is(o.err, errBroken) || errors.Is(o.err, errEnded) {
		return EndFault
	}
	return EndClient
}

// write sends one frame, or what a fault makes of it.
func (o *frameWriter) write(kind eventType, name string, version uint64, frame []byte) {
	if o.err != nil || o.silent {
		return
	}
	fault, hit := o.server.faults.take(o.q, atFrame, o.trace())
	if hit {
		o.spoil(fault, frame)
		return
	}
	o.put(frame)
	if held := o.held; held != nil {
		o.held = nil
		o.put(held)
	}
	if o.server.opts.Trace.Sent != nil {
		o.server.opts.Trace.Sent(o.q.describe(), FrameInfo{string(kind), name, version, len(frame)})
	}
}

// writeBookmark sends a bookmark unless a fault withholds it. It reports whether
// it did.
func (o *frameWriter) writeBookmark(version uint64, frame []byte, last bool) bool {
	moment := atBookmark
	if last {
		moment = atInitialEnd
	}
	if _, hit := o.server.faults.take(o.q, moment, o.trace()); hit {
		return false
	}
	o.write(bookmarked, "", version, frame)
	return true
}

// put adds bytes to the batch. Without an error they reach the client at the
// next flush at the latest.
func (o *frameWriter) put(b []byte) {
	if o.err == nil {
		o.err = o.out.add(b)
	}
}

// spoil is what a fault does to a frame.
func (o *frameWriter) spoil(f Fault, frame []byte) {
	switch f.Kind {
	case FaultCut:
		o.put(frame[:len(frame)/2])
		o.flush()
		o.err = errBroken
	case FaultGarbage:
		o.put([]byte("{\"type\":\"ADDED\",\"object\":{{{ this is not JSON\n"))
		o.put(frame)
	case FaultError:
		o.put(errorFrame(injected(f.Code, f.Message, f.RetryAfter)))
		o.flush()
		o.err = errEnded
	case FaultSilence:
		o.silent = true
	case FaultRepeat:
		o.put(frame)
		o.put(frame)
	case FaultReorder:
		o.held = bytes.Clone(frame)
	case FaultAlien:
		alien, _ := newFrame(added, []byte(`{"kind":"Alien","apiVersion":"far.example.dev/v1",`+
			`"metadata":{"name":"alien","resourceVersion":"1"}}`))
		o.put(alien)
		o.put(frame)
	}
}

func (o *frameWriter) trace() *Trace { return o.server.opts.Trace }
