package fault

import (
	"bytes"
	"errors"
	"fmt"

	"example.com/watchglass/fakeapi/stream"
)

// A Sink lets faults strike the frames on their way to another sink.
type Sink struct {
	stream.Sink
	strike func(Moment) (Fault, bool)
	pause  func()
	held   *stream.Frame // a fault holds it back until the next frame is sent
}

// NewSink returns a sink for one watch. strike returns the fault that strikes the watch at a
// moment, pause blocks until the watch has to end.
func NewSink(to stream.Sink, strike func(Moment) (Fault, bool), pause func()) *Sink {
	return &Sink{Sink: to, strike: strike, pause: pause}
}

// Begin implements stream.Sink.
func (s *Sink) Begin() error {
	if err := s.Sink.Begin(); err != nil {
		return err
	}
	if _, hit := s.strike(AtHeaders); hit {
		return stream.ErrEnded
	}
	return nil
}

// Send implements stream.Sink.
func (s *Sink) Send(f stream.Frame) (sent bool, err error) {
	if s.withholds(f) {
		return false, nil
	}
	if fault, hit := s.strike(AtFrame); hit {
		return true, s.spoil(fault, f)
	}
	if _, err := s.Sink.Send(f); err != nil {
		return false, err
	}
	return true, s.release()
}

// withholds says whether a fault withholds a bookmark.
func (s *Sink) withholds(f stream.Frame) bool {
	if f.Type != string(stream.Bookmark) {
		return false
	}
	m := AtBookmark
	if f.EndsInitial {
		m = AtInitialEnd
	}
	_, hit := s.strike(m)
	return hit
}

// release sends the frame that was held back, if any.
func (s *Sink) release() error {
	if s.held == nil {
		return nil
	}
	held := s.held.Line
	s.held = nil
	return s.put(held)
}

// put sends bytes without calling Trace.Sent: what a fault makes is not a frame of the stream.
func (s *Sink) put(line []byte) error {
	_, err := s.Sink.Send(stream.Frame{Line: line})
	return err
}

// What faults send in the place of frames.
const (
	garbage = `{"type":"ADDED","object":{{{ this is not JSON` + "\n"
	alien   = `{"type":"ADDED","object":{"kind":"Alien","apiVersion":"far.example.dev/v1",` +
		`"metadata":{"name":"alien","resourceVersion":"1"}}}` + "\n"
)

// spoil does to a frame what the fault says.
func (s *Sink) spoil(fault Fault, f stream.Frame) error {
	switch fault.Kind {
	case Cut:
		return errors.Join(s.put(f.Line[:len(f.Line)/2]), s.Flush(), stream.ErrBroken)
	case Garbage:
		return errors.Join(s.put([]byte(garbage)), s.put(f.Line))
	case Error:
		line := fmt.Appendf(nil, "{\"type\":\"ERROR\",\"object\":%s}\n", fault.Status().Encode())
		return errors.Join(s.put(line), s.Flush(), stream.ErrEnded)
	case Silence: // ends when the client disconnects or the server closes
		err := s.Flush()
		s.pause()
		return errors.Join(err, stream.ErrEnded)
	case Repeat:
		return errors.Join(s.put(f.Line), s.put(f.Line))
	case Reorder:
		f.Line = bytes.Clone(f.Line)
		s.held = &f
	case Alien:
		return errors.Join(s.put([]byte(alien)), s.put(f.Line))
	}
	return nil
}
