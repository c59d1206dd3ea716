package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// theSite is the site of this repository, and the tree that it shows. Tests share it.
func theSite(t *testing.T) (http.Handler, *tree) {
	t.Helper()
	handler, err := shared()
	require.NoError(t, err)
	return guard(handler), readTree(handler.fsys)
}

var shared = sync.OnceValues(func() (*site, error) {
	top, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	return newSite(os.DirFS(top), goRun(context.Background(), top)), nil
})

func get(h http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost:8099"+path, nil))
	return w
}
