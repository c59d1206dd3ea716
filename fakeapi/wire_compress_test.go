package fakeapi

import (
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhichAnswersAreCompressed(t *testing.T) {
	large, small := widgetsPath, widgetsPath+"?limit=1"
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		for i := range 3 {
			create(t, s, fmt.Sprintf("web-%d", i), strings.Repeat("x", 1_000))
		}
		create(t, s, "web-big", strings.Repeat("x", 128<<10))
		for _, c := range []struct {
			law, path, accept string
			compressed        bool
		}{
			{"a large list, if the client accepts gzip", large, "gzip", true},
			{"gzip among other codings", large, "deflate, gzip ,br", true},
			{"not if the client accepts any coding", large, "*", false},
			{"a quality value is not understood", large, "gzip;q=1", false},
			{"not if the client refuses gzip", large, "gzip;q=0", false},
			{"not for GZIP in capital letters", large, "GZIP", false},
			{"not a small list", small, "gzip", false},
			{"a large list for people", large + "?pretty=1", "gzip", true},
			{"a large object", widgetsPath + "/web-big", "gzip", true},
			{"not a small object", widgetsPath + "/web-1", "gzip", false},
			{"never a watch: its frames would wait in the compressor",
				large + "?watch=1&timeoutSeconds=1", "gzip", false},
		} {
			_, plain := send(t, s, "GET", c.path, "", "Accept-Encoding", "identity")
			resp, body := send(t, s, "GET", c.path, "", "Accept-Encoding", c.accept)
			if c.compressed {
				assert.Equal(t, "gzip", resp.Header.Get("Content-Encoding"), c.law)
				assert.Equal(t, "Accept-Encoding", resp.Header.Get("Vary"), c.law)
				z, err := gzip.NewReader(strings.NewReader(body))
				require.NoError(t, err, c.law)
				body = string(must(io.ReadAll(z)))
			} else {
				assert.Empty(t, resp.Header.Get("Content-Encoding"), c.law)
			}
			assert.True(t, plain == body, "%s: the same document", c.law)
		}
	})
}
