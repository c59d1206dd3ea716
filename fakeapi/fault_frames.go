package fakeapi

import (
	"bytes"
	"errors"
	"fmt"

	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/stream"
)

// faultyFrames is a stream.Sink that lets faults strike the frames on their way to
// another one.
type faultyFrames struct {
	stream.Sink
	server *Server
	q      *request
	held   *stream.Frame // a fault holds it back until the next frame is sent
}

// take returns the fault that strikes now, if any.
func (x *faultyFrames) take(m moment) (Fault, bool) {
	return x.server.faults.take(x.q, m, x.server.opts.Trace)
}

func (x *faultyFrames) Begin() error {
	if err := x.Sink.Begin(); err != nil {
		return err
	}
	if _, hit := x.take(atHeaders); hit {
		return stream.ErrEnded
	}
	return nil
}

func (x *faultyFrames) Send(f stream.Frame) (sent bool, err error) {
	if x.withholds(f) {
		return false, nil
	}
	if fault, hit := x.take(atFrame); hit {
		return true, x.spoil(fault, f)
	}
	if _, err := x.Sink.Send(f); err != nil {
		return false, err
	}
	return true, x.release()
}

// withholds says whether a fault withholds a bookmark.
func (x *faultyFrames) withholds(f stream.Frame) bool {
	if f.Type != string(stream.Bookmark) {
		return false
	}
	m := atBookmark
	if f.EndsInitial {
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
	held := x.held.Line
	x.held = nil
	return x.put(held)
}

// put sends bytes without calling Trace.Sent: what a fault makes is not a frame of the stream.
func (x *faultyFrames) put(line []byte) error {
	_, err := x.Sink.Send(stream.Frame{Line: line})
	return err
}

// What faults send in the place of frames.
const (
	garbage = `{"type":"ADDED","object":{{{ this is not JSON` + "\n"
	alien   = `{"type":"ADDED","object":{"kind":"Alien","apiVersion":"far.example.dev/v1",` +
		`"metadata":{"name":"alien","resourceVersion":"1"}}}` + "\n"
)

// spoil does to a frame what the fault says.
func (x *faultyFrames) spoil(fault Fault, f stream.Frame) error {
	switch fault.Kind {
	case FaultCut:
		return errors.Join(x.put(f.Line[:len(f.Line)/2]), x.Flush(), stream.ErrBroken)
	case FaultGarbage:
		return errors.Join(
			x.put([]byte(garbage)), x.put(f.Line))
	case FaultError:
		why := status.Injected(fault.Code, fault.Message, fault.RetryAfter)
		line := fmt.Appendf(nil, "{\"type\":\"ERROR\",\"object\":%s}\n", why.Encode())
		return errors.Join(x.put(line), x.Flush(), stream.ErrEnded)
	case FaultSilence: // ends when the client disconnects or the server closes
		err := x.Flush()
		x.server.pause(x.q, -1)
		return errors.Join(err, stream.ErrEnded)
	case FaultRepeat:
		return errors.Join(x.put(f.Line), x.put(f.Line))
	case FaultReorder:
		f.Line = bytes.Clone(f.Line)
		x.held = &f
	case FaultAlien:
		return errors.Join(x.put([]byte(alien)), x.put(f.Line))
	}
	return nil
}
