package query

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/selector"
)

// FuzzContinueToken checks that text that is not a token is refused, a token never leads out of its
// selection, and for every key there is a token that leads to it.
func FuzzContinueToken(f *testing.F) {
	token := func(json string) string { return base64.RawURLEncoding.EncodeToString([]byte(json)) }
	for _, s := range []string{"", "garbage", "e30", ContinueAfter(7, "default/", "default/web-1") + "==",
		ContinueAfter(AnyVersion, "", "a/b"), token(`{"v":"meta.k8s.io/v1","rv":5,"start":"/../x"}`),
		token(`{"v":"meta.k8s.io/v1","rv":5,"start":"a//b"}`), token(`{"v":"x","rv":5,"start":"a"}`),
		token(`{"v":"meta.k8s.io/v1","rv":0,"start":"a"}`), token(`{"v":"meta.k8s.io/v1","rv":5}`)} {
		f.Add(s, "default", "web-1", int64(7))
	}
	f.Fuzz(func(t *testing.T, text, namespace, name string, version int64) {
		prefix := namespace + "/"
		if token, start, err := readToken(text, prefix); err == nil {
			assert.True(t, strings.HasPrefix(start, prefix), "%q leads to %q", text, start)
			assert.NotContains(t, start[len(prefix):], "../", "%q", text)
			assert.NotZero(t, token.Version)
			assert.Equal(t, tokenVersion, token.APIVersion)
		}
		if selector.BadSubdomain(name) != "" || version == 0 {
			return // no object has that name, or no state that version
		}
		text = ContinueAfter(version, prefix, prefix+name)
		token, start, err := readToken(text, prefix)
		require.NoError(t, err, "%q", text)
		assert.Equal(t, prefix+name+"\x00", start, "the least key above the last one seen")
		assert.Equal(t, version, token.Version)
	})
}
