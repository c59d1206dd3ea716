package stream

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// A deadlines counts how often the write deadline of a connection is set.
type deadlines struct {
	*httptest.ResponseRecorder
	set int
}

func (d *deadlines) SetWriteDeadline(time.Time) error { d.set++; return nil }

// The connection of a watch that has ended serves other requests, whose deadline must not
// be changed.
func TestAWatchThatHasEndedLeavesTheDeadlineAlone(t *testing.T) {
	d := &deadlines{ResponseRecorder: httptest.NewRecorder()}
	w := newWriter(d, nil)
	w.EndBy(time.Now())
	assert.Equal(t, 1, d.set)
	w.Close()
	w.EndBy(time.Now())
	assert.Equal(t, 1, d.set, "set after the end")
}
