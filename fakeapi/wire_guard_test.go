package fakeapi

import (
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What the guard refuses reaches nothing: no verb, no probe, no control command.
func TestTheGuardStandsBeforeEverything(t *testing.T) {
	bubble(t, Options{Token: "secret", AllowHosts: []string{"box.example"}, Control: true},
		func(t *testing.T, s *Server) {
			create(t, s, "web-1", "red")
			for path, unnamed := range map[string]int{widgetsPath: 401, "/version": 401, "/apis": 401,
				"/openapi/v3": 401, "/fakeapi/compact": 401, "/livez": 200} {
				for host, want := range map[string]int{"box.example": unnamed, "page.example": 403} {
					for _, method := range []string{"GET", "POST", "DELETE"} {
						r := httptest.NewRequest(method, path, nil)
						r.Host = host
						w := httptest.NewRecorder()
						s.ServeHTTP(w, r)
						assert.Equal(t, want, w.Code, "%s %s of %s", method, path, host)
					}
				}
			}
			assert.Equal(t, "2", s.ResourceVersion())
			assert.Equal(t, uint64(2), s.store.Version())
		})
}
