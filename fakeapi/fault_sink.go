package fakeapi

import (
	"errors"
	"fmt"
	"slices"

	"example.com/watchglass/fakeapi/stream"
)

// A faultSink lets faults affect the frames on their way to another sink.
type faultSink struct {
	stream.Sink
	trigger func(faultMoment) *faultHit
	pause   func()
	held    [][]byte // a frame that a fault holds back until the next one is sent
}

// newFaultSink returns a sink for one watch. trigger returns the fault that takes effect at a
// moment, pause blocks until the watch has to end.
func newFaultSink(to stream.Sink, trigger func(faultMoment) *faultHit, pause func()) *faultSink {
	return &faultSink{Sink: to, trigger: trigger, pause: pause}
}

// Begin implements stream.Sink.
func (s *faultSink) Begin() error {
	if err := s.Sink.Begin(); err != nil {
		return err
	}
	if s.trigger(atHeaders) != nil {
		return stream.ErrEnded
	}
	return nil
}

// Send implements stream.Sink.
func (s *faultSink) Send(f stream.Frame) (sent bool, err error) {
	if s.withholds(f) {
		return false, nil
	}
	held := s.held
	s.held = nil
	if hit := s.trigger(atFrame); hit != nil {
		sent, err = true, s.corrupt(hit.Fault, f)
	} else {
		sent, err = s.Sink.Send(f)
	}
	if held == nil || err != nil {
		return sent, err
	}
	return sent, s.put(held...)
}

// withholds reports whether a fault withholds a bookmark.
func (s *faultSink) withholds(f stream.Frame) bool {
	if f.EndsInitial {
		return s.trigger(atInitialEnd) != nil
	}
	return f.Type == string(stream.Bookmark) && s.trigger(atBookmark) != nil
}

// put sends bytes without calling Trace.Sent: what a fault makes is not a frame of the stream.
func (s *faultSink) put(line ...[]byte) error {
	_, err := s.Sink.Send(stream.Frame{Line: line})
	return err
}

// FaultGarbage and FaultAlien send these lines.
const (
	garbage = `{"type":"ADDED","object":{{{ this is not JSON` + "\n"
	alien   = `{"type":"ADDED","object":{"kind":"Alien","apiVersion":"far.example.dev/v1",` +
		`"metadata":{"name":"alien","resourceVersion":"1"}}}` + "\n"
)

// corrupt does to a frame what the fault says.
func (s *faultSink) corrupt(fault Fault, f stream.Frame) error {
	switch fault.Kind {
	case FaultCut:
		line := slices.Concat(f.Line...)
		return errors.Join(s.put(line[:len(line)/2]), s.Flush(), stream.ErrBroken)
	case FaultGarbage:
		return errors.Join(s.put([]byte(garbage)), s.put(f.Line...))
	case FaultError:
		line := fmt.Appendf(nil, "{\"type\":\"ERROR\",\"object\":%s}\n", fault.Status().Encode())
		return errors.Join(s.put(line), s.Flush(), stream.ErrEnded)
	case FaultSilence: // ends when the client disconnects or the server closes
		err := s.Flush()
		s.pause()
		return errors.Join(err, stream.ErrEnded)
	case FaultRepeat:
		return errors.Join(s.put(f.Line...), s.put(f.Line...))
	case FaultReorder:
		s.held = f.Line
	case FaultAlien:
		return errors.Join(s.put([]byte(alien)), s.put(f.Line...))
	}
	return nil
}
