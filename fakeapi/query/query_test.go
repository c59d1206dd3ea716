package query

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/selector"
	"example.com/watchglass/fakeapi/status"
)

var things = resource.New(resource.Resource{Group: "g.example", Plural: "things"})

func parsed(t *testing.T, query string) url.Values {
	t.Helper()
	q, err := url.ParseQuery(query)
	require.NoError(t, err)
	return q
}

func TestWhatAListReads(t *testing.T) {
	const noOlder, exact = "&resourceVersionMatch=NotOlderThan", "&resourceVersionMatch=Exact"
	token := ContinueAfter(7, "ns/", "ns/web-1")
	anytime := ContinueAfter(AnyVersion, "ns/", "ns/web-1")
	for _, c := range []struct {
		law, query string
		want       Plan
	}{
		{"no version, with a limit, is the present in pages", "limit=2", Plan{Limit: 2}},
		{"0 is the present, and has no pages", "resourceVersion=0&limit=2" + noOlder, Plan{}},
		{"N without a limit is at least N", "resourceVersion=5", Plan{Version: 5}},
		{"N with a limit is exactly N, or pages would not fit together", "resourceVersion=5&limit=2",
			Plan{Past: true, Version: 5, Limit: 2}},
		{"a match is stronger than a limit", "resourceVersion=5&limit=2" + noOlder,
			Plan{Version: 5, Limit: 2}},
		{"Exact is exact", "resourceVersion=5" + exact, Plan{Past: true, Version: 5}},
		{"a limit below zero is none", "limit=-1", Plan{}},
		{"a token goes on at its version after its key", "limit=2&continue=" + token,
			Plan{Past: true, Version: 7, Start: "ns/web-1\x00", Limit: 2}},
		{"a token without a version goes on at the present", "continue=" + anytime,
			Plan{Start: "ns/web-1\x00"}},
		{"0 with a token only removes the limit", "resourceVersion=0&limit=2&continue=" + token,
			Plan{Past: true, Version: 7, Start: "ns/web-1\x00"}},
	} {
		o, err := ParseList(things, parsed(t, c.query))
		require.NoError(t, err, c.law)
		got, err := o.Plan("ns/")
		require.NoError(t, err, c.law)
		assert.Equal(t, c.want, got, "%s: %s", c.law, c.query)
	}
}

func TestListsThatAreRefused(t *testing.T) {
	token := ContinueAfter(7, "", "a")
	for _, c := range []struct {
		query  string
		code   int
		fields string // of the causes, in order
	}{
		{"resourceVersion=abc", 400, ""},
		{"limit=2.5", 400, ""},
		{"limit=", 400, ""},
		{"limit=99999999999999999999", 400, ""},
		{"timeoutSeconds=soon", 400, ""},
		{"continue=%21", 400, ""},
		{"resourceVersion=abc&continue=" + token, 400, ""},
		{"resourceVersionMatch=Exact", 422, "resourceVersionMatch"},
		{"resourceVersionMatch=Exact&continue=" + token, 422, "resourceVersionMatch resourceVersionMatch"},
		{"resourceVersionMatch=Exact&resourceVersion=0", 422, "resourceVersionMatch"},
		{"resourceVersionMatch=Foo&resourceVersion=1", 422, "resourceVersionMatch"},
		{"sendInitialEvents=false", 422, "sendInitialEvents"},
	} {
		o, err := ParseList(things, parsed(t, c.query))
		if err == nil {
			_, err = o.Plan("")
		}
		assertRefused(t, err, c.query, c.code, c.fields)
	}
	o, err := ParseList(things, parsed(t, "timeoutSeconds=9223372036854775807"))
	require.NoError(t, err)
	assert.Positive(t, o.timeout, "no number of seconds may overflow")
}

// assertRefused checks the code of a refusal, and the fields of its causes.
func assertRefused(t *testing.T, err error, what string, code int, fields string) {
	t.Helper()
	require.Error(t, err, what)
	s := status.Of(err)
	assert.Equal(t, code, s.Code, what)
	var got []string
	if s.Details != nil {
		for _, c := range s.Details.Causes {
			got = append(got, c.Field)
		}
	}
	assert.Equal(t, fields, strings.Join(got, " "), what)
}

func TestWatchOptions(t *testing.T) {
	const match, initial = "resourceVersionMatch=", "sendInitialEvents="
	for _, c := range []struct {
		law, query string
		fields     string // of the causes
		want       Watch
	}{
		{"from a version, continue and limit are ignored", "resourceVersion=5&continue=x&limit=3", "",
			Watch{Version: 5}},
		{"without a version it is a streaming list", "", "", Watch{Initial: true}},
		{"from 0 it is one, too", "resourceVersion=0", "", Watch{Initial: true}},
		{"it may ask for the end of the list", initial + "true&allowWatchBookmarks=true&" + match +
			"NotOlderThan", "", Watch{Initial: true, Marked: true, Bookmarks: true}},
		{"it may decline initial events", initial + "false&" + match + "NotOlderThan", "",
			Watch{Present: true}},
		{"sendInitialEvents without a match is refused", initial + "true", "resourceVersionMatch", Watch{}},
		{"a match without sendInitialEvents is refused", match + "NotOlderThan", "resourceVersionMatch",
			Watch{}},
		{"Exact is no match for a watch", initial + "true&" + match + "Exact",
			"resourceVersionMatch resourceVersionMatch", Watch{}},
		{"a streaming list has no pages", "resourceVersion=0&continue=x", "resourceVersionMatch", Watch{}},
	} {
		got, err := ParseWatch(things, parsed(t, c.query))
		if c.fields != "" {
			assertRefused(t, err, c.law, 422, c.fields)
			continue
		}
		require.NoError(t, err, c.law)
		assert.Equal(t, c.want, got, "%s: %s", c.law, c.query)
	}
}

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

func TestATokenHasTheRealServersEncoding(t *testing.T) {
	assert.Equal(t, "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MzgsInN0YXJ0IjoiL3cyXHUwMDAwIn0",
		ContinueAfter(38, "ns/", "ns/w2"))
}

func TestOptionsOfWrites(t *testing.T) {
	for query, fields := range map[string]string{"": "", "dryRun=All&fieldManager=me": "",
		"dryRun=Some": "dryRun", "fieldValidation=Loose": "fieldValidation", "force=true": "force",
		// Each character of a short name is checked; a long name is one error.
		"fieldManager=a%01%C3%A4%E2%80%8B":               "fieldManager fieldManager",
		"fieldManager=" + strings.Repeat("%01", 120_000): "fieldManager"} {
		o, err := ParseWrite(PatchOptions, parsed(t, query))
		if fields != "" {
			assertRefused(t, err, query[:min(len(query), 40)], 422, fields)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, strings.HasPrefix(query, "dryRun"), o.DryRun)
	}
}
