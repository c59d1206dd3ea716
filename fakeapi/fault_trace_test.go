package fakeapi

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheTraceReportsEveryFaultOfARequest(t *testing.T) {
	var traced []string
	trace := &Trace{Fault: func(r Request, f Fault) {
		traced = append(traced, fmt.Sprint(f.Kind, " for ", r.Verb, " ", r.Resource))
	}}
	bubble(t, Options{Trace: trace}, func(t *testing.T, s *Server) {
		s.Inject(Fault{Kind: FaultStatus})
		s.Inject(Fault{Kind: FaultClose})
		send(t, s, "GET", widgetsPath, "")
		open(t, s, "").rest()
	})
	assert.Equal(t, []string{"status for list widgets.workshop.example.dev",
		"close for watch widgets.workshop.example.dev"}, traced)
}
