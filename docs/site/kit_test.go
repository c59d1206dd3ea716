package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// theSite is the site of this repository.
func theSite(t *testing.T) http.Handler {
	t.Helper()
	top, err := moduleRoot()
	require.NoError(t, err)
	return guard(newSite(os.DirFS(top)))
}

func get(h http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost:8099"+path, nil))
	return w
}
