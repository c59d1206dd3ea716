package fakeapi

import (
	"bytes"
	"errors"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

// faultyFrames is a frameSink that lets faults strike the frames on their way to a
// frameWriter.
type faultyFrames struct {
	to     *frameWriter
	server *Server
	q      *request
	held   *frame // a fault holds it back until the next frame is sent
}

var (
	// errBroken: a fault broke the stream off. The connection must not end cleanly.
	errBroken = errors.New("fakeapi: stream broken off by a fault")
	// errEnded: a fault ended the stream cleanly.
	errEnded = errors.New("fakeapi: stream ended by a fault")
)

// take returns the fault that strikes now, if any.
func (x *faultyFrames) take(m moment) (Fault, bool) {
	return x.server.faults.take(x.q, m, x.server.opts.Trace)
}

func (x *faultyFrames) begin() error {
	if err := x.to.begin(); err != nil {
		return err
	}
	if _, hit := x.take(atHeaders); hit {
		return errEnded
	}
	return nil
}

func (x *faultyFrames) gather() error { return x.to.gather() }
func (x *faultyFrames) flush() error  { return x.to.flush() }

func (x *faultyFrames) send(f frame) (sent bool, err error) {
	if x.withholds(f) {
		return false, nil
	}
	if fault, hit := x.take(atFrame); hit {
		return true, x.spoil(fault, f)
	}
	if _, err := x.to.send(f); err != nil {
		return false, err
	}
	return true, x.release()
}

// withholds says whether a fault withholds a bookmark.
func (x *faultyFrames) withholds(f frame) bool {
	if f.Type != string(object.Bookmark) {
		return false
	}
	m := atBookmark
	if f.endsInitial {
		m = atInitialEnd
	}
	_, hit := x.take(m)
	return hit
}

// release sends the frame that was held back, if any.
func (x *faultyFrames) release() error {
	if x.held == nil {
		return nil
	}
	held := x.held.bytes
	x.held = nil
	return x.put(held)
}

// put sends bytes without calling Trace.Sent: what a fault makes is not a frame of the stream.
func (x *faultyFrames) put(b []byte) error { return x.to.out.add(b) }

// spoil does to a frame what the fault says.
func (x *faultyFrames) spoil(fault Fault, f frame) error {
	switch fault.Kind {
	case FaultCut:
		return errors.Join(x.put(f.bytes[:len(f.bytes)/2]), x.flush(), errBroken)
	case FaultGarbage:
		return errors.Join(
			x.put([]byte("{\"type\":\"ADDED\",\"object\":{{{ this is not JSON\n")), x.put(f.bytes))
	case FaultError:
		why := status.Injected(fault.Code, fault.Message, fault.RetryAfter)
		return errors.Join(x.put(errorFrame(why)), x.flush(), errEnded)
	case FaultSilence: // ends when the client disconnects or the server closes
		err := x.flush()
		x.server.pause(x.q, -1)
		return errors.Join(err, errEnded)
	case FaultRepeat:
		return errors.Join(x.put(f.bytes), x.put(f.bytes))
	case FaultReorder:
		f.bytes = bytes.Clone(f.bytes)
		x.held = &f
	case FaultAlien:
		alien, _ := object.NewFrame(store.Added,
			[]byte(`{"kind":"Alien","apiVersion":"far.example.dev/v1",`+
				`"metadata":{"name":"alien","resourceVersion":"1"}}`))
		return errors.Join(x.put(alien), x.put(f.bytes))
	}
	return nil
}

// isFault says whether a stream ended because of a fault.
func isFault(err error) bool { return errors.Is(err, errBroken) || errors.Is(err, errEnded) }
