package registry

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
)

// FuzzContinueToken checks that text that is not a token is refused, that a token never leads out
// of its selection, and that for every key there is a token that leads to it.
func FuzzContinueToken(f *testing.F) {
	token := func(json string) string { return base64.RawURLEncoding.EncodeToString([]byte(json)) }
	for _, s := range []string{"garbage", token(`{}`), token(`{"v":"x","rv":5,"start":"a"}`),
		token(`{"v":"meta.k8s.io/v1","rv":5,"start":"/../x"}`),
		token(`{"v":"meta.k8s.io/v1","rv":5,"start":"a//b"}`),
		token(`{"v":"meta.k8s.io/v1","rv":0,"start":"a"}`), token(`{"v":"meta.k8s.io/v1","rv":5}`),
		continueAfter(7, "default/", "default/web-1") + "==",
		continueAfter(anyVersion, "", "a/b")} {
		f.Add(s, "default", "web-1", int64(7))
	}
	typ := &object.Type{Resource: object.DefaultResources()[0]}
	read := func(t *testing.T, token, prefix string) (Plan, error) {
		list, err := ParseListOptions(typ, url.Values{"continue": {token}})
		require.NoError(t, err)
		return list.Plan(prefix)
	}
	f.Fuzz(func(t *testing.T, text, namespace, name string, version int64) {
		prefix := namespace + "/"
		if plan, err := read(t, text, prefix); err == nil && text != "" {
			assert.True(t, strings.HasPrefix(plan.Start, prefix), "%q leads to %q", text, plan.Start)
			assert.NotContains(t, plan.Start[len(prefix):], "../", "%q", text)
			assert.Equal(t, plan.Past, plan.Version > 0)
			var in struct {
				V  string
				RV int64
			}
			b, _ := base64.RawURLEncoding.DecodeString(text)
			require.NoError(t, json.Unmarshal(b, &in))
			assert.True(t, in.V == "meta.k8s.io/v1" && in.RV != 0, "%s", b)
		}
		if object.BadSubdomain(name) != "" || version == 0 {
			return // no object has that name, or no state that version
		}
		text = continueAfter(version, prefix, prefix+name)
		plan, err := read(t, text, prefix)
		require.NoError(t, err, "%q", text)
		assert.Equal(t, prefix+name+"\x00", plan.Start, "the least key above the last one seen")
		assert.Equal(t, uint64(max(0, version)), plan.Version)
	})
}
