package story

import (
	"bufio"
	"bytes"
	"io"
	"time"
)

// Late returns a body of an HTTP response whose content arrives later than body's, and one line at
// a time: events that a server sent together are read one by one, lag apart. A Read that waits goes
// on when done is closed; nil is never closed. Close closes body.
func Late(body io.ReadCloser, lag time.Duration, done <-chan struct{}) io.ReadCloser {
	return late{body, bufio.NewReader(body), lag, done}
}

type late struct {
	io.ReadCloser
	arrived *bufio.Reader
	lag     time.Duration
	done    <-chan struct{}
}

// Read implements io.Reader.
func (l late) Read(p []byte) (int, error) {
	if _, err := l.arrived.Peek(1); err != nil {
		return 0, err
	}
	line, _ := l.arrived.Peek(min(l.arrived.Buffered(), len(p)))
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i+1]
	}
	select {
	case <-time.After(l.lag):
	case <-l.done:
	}
	return l.arrived.Read(p[:len(line)])
}
