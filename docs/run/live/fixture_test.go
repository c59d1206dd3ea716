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

// press does what a button does, and waits until the machine is at rest.
func press(t *testing.T, m *tape.Machine, do, key string, args ...string) {
	t.Helper()
	o := tape.Order{Do: do, Key: key, Args: map[string]string{}}
	for i := 0; i < len(args); i += 2 {
		o.Args[args[i]] = args[i+1]
	}
	require.NoError(t, m.Do(o), "%s %s", do, key)
	synctest.Wait()
}

// site is the page's handler, in the bubble of the machine.
type site struct {
	t    *testing.T
	page *page
}

const home = "http://localhost"

func newSite(t *testing.T, m *tape.Machine) *site {
	return &site{t, &page{run: "first", machine: m, module: source}}
}

// list is what a page does first.
func (s *site) list() (l tape.Listing) {
	s.t.Helper()
	require.NoError(s.t, json.NewDecoder(s.asked("GET", "/state", "localhost", "").Body).Decode(&l))
	return l
}

// watch is what a page does then, again and again. Without events it returns the status.
func (s *site) watch(run string, after int64) (events []tape.Event, code int) {
	s.t.Helper()
	w := s.asked("GET", fmt.Sprintf("/events?run=%s&after=%d", run, after), "localhost", "")
	if w.Code == http.StatusOK {
		require.NoError(s.t, json.NewDecoder(w.Body).Decode(&events))
	}
	return events, w.Code
}

// asked is a request as it reaches the server.
func (s *site) asked(method, path, host, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, home+path, strings.NewReader(body))
	r.Host = host
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.page.handler().ServeHTTP(w, r)
	return w
}
