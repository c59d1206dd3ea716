package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/tape"
)

// source is shared, because it remembers what it has read.
var source = tape.OpenSource()

// newFixture makes a machine with what is there when the page opens, at rest. It belongs into a bubble.
func newFixture(t *testing.T) *tape.Machine {
	t.Helper()
	m, err := tape.New(tape.Options{Source: source})
	require.NoError(t, err)
	t.Cleanup(m.Close)
	require.NoError(t, m.Open())
	synctest.Wait()
	require.True(t, m.Listing().State.Cache.Synced)
	return m
}

// site is the page's handler, in the bubble of the machine.
type site struct {
	t    *testing.T
	page *page
}

func newSite(t *testing.T, m *tape.Machine) *site {
	return &site{t, &page{run: "first", machine: m, module: source}}
}

// list is what a page does first.
func (s *site) list() (l tape.Listing) {
	s.t.Helper()
	require.NoError(s.t, json.NewDecoder(s.asked("GET", "/state", "").Body).Decode(&l))
	return l
}

// watch is what a page does then, again and again. Without events it returns the status.
func (s *site) watch(run string, after int64) (events []tape.Event, code int) {
	s.t.Helper()
	w := s.asked("GET", fmt.Sprintf("/events?run=%s&after=%d", run, after), "")
	if w.Code == http.StatusOK {
		require.NoError(s.t, json.NewDecoder(w.Body).Decode(&events))
	}
	return events, w.Code
}

// asked is a request as it reaches the server.
func (s *site) asked(method, path, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.page.handler().ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
	return w
}
