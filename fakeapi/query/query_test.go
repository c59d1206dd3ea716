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

// options decodes a query, which has to be valid.
func options(t *testing.T, query string) List {
	t.Helper()
	q, err := url.ParseQuery(query)
	require.NoError(t, err)
	o, err := ParseList(resource.New(resource.Resource{Group: "g.example", Plural: "things"}), q)
	require.NoError(t, err)
	return o
}

func watch(t *testing.T, query string) (Watch, error) {
	t.Helper()
	q, err := url.ParseQuery(query)
	require.NoError(t, err)
	return ParseWatch(resource.New(resource.Resource{Group: "g.example", Plural: "things"}), q)
}

func TestWhatAListReads(t *testing.T) {
	token := ContinueAfter(7, "ns/", "ns/web-1")
	anytime := ContinueAfter(AnyVersion, "ns/", "ns/web-1")
	for _, c := range []struct {
		law, query string
		want       Plan
	}{
		{"no version is the present", "", Plan{}},
		{"no version, with a limit, is the present in pages", "limit=2", Plan{Limit: 2}},
		{"0 is the present", "resourceVersion=0", Plan{}},
		{"0 has no pages", "resourceVersion=0&limit=2", Plan{}},
		{"0 may have the match NotOlderThan", "resourceVersion=0&resourceVersionMatch=NotOlderThan",
			Plan{}},
		{"N without a limit is at least N", "resourceVersion=5", Plan{Version: 5}},
		{"N with a limit is exactly N, or pages would not fit together", "resourceVersion=5&limit=2",
			Plan{Past: true, Version: 5, Limit: 2}},
		{"a match is stronger than a limit",
			"resourceVersion=5&limit=2&resourceVersionMatch=NotOlderThan",
			Plan{Version: 5, Limit: 2}},
		{"Exact is exact", "resourceVersion=5&resourceVersionMatch=Exact",
			Plan{Past: true, Version: 5}},
		{"a limit below zero is none", "limit=-1", Plan{}},
		{"a token goes on at its version after its key", "limit=2&continue=" + token,
			Plan{Past: true, Version: 7, Start: "ns/web-1\x00", Limit: 2}},
		{"a token without a version goes on at the present", "continue=" + anytime,
			Plan{Start: "ns/web-1\x00"}},
		{"0 with a token only removes the limit", "resourceVersion=0&limit=2&continue=" + token,
			Plan{Past: true, Version: 7, Start: "ns/web-1\x00"}},
	} {
		o := options(t, c.query)
		got, err := o.Plan("ns/")
		require.NoError(t, err, c.law)
		assert.Equal(t, c.want, got, "%s: %s", c.law, c.query)
	}
}

func TestListsThatAreRefused(t *testing.T) {
	token := ContinueAfter(7, "", "a")
	for _, c := range []struct {
		query string
		code  int
		texts []string // the causes, in order; one text is the message itself
	}{
		{"resourceVersion=abc", 400, []string{`invalid resource version: resourceVersion: ` +
			`Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax`}},
		{"continue=%21", 400, []string{
			"invalid continue token: continue key is not valid: illegal base64 data at input byte 0"}},
		{"continue=%21&resourceVersion=5", 400, []string{ // the token is checked first
			"invalid continue token: continue key is not valid: illegal base64 data at input byte 0"}},
		{"resourceVersion=abc&continue=" + token, 400, []string{
			"specifying resource version is not allowed when using continue"}},
		{"resourceVersionMatch=Exact", 422, []string{
			"Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided"}},
		{"resourceVersionMatch=Exact&continue=" + token, 422, []string{
			"Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided",
			"Forbidden: resourceVersionMatch is forbidden when continue is provided"}},
		{"resourceVersionMatch=Exact&resourceVersion=0", 422, []string{
			`Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"`}},
		{"resourceVersionMatch=Foo&resourceVersion=1", 422, []string{
			`Unsupported value: "Foo": supported values: "Exact", "NotOlderThan", ""`}},
		{"sendInitialEvents=false", 422, []string{
			"Forbidden: sendInitialEvents is forbidden for list"}},
	} {
		o := options(t, c.query)
		_, err := o.Plan("")
		assertRefused(t, err, c.query, c.code, c.texts)
	}
}

func TestWatchOptions(t *testing.T) {
	const (
		needsMatch = "Forbidden: sendInitialEvents requires setting resourceVersionMatch to " +
			"NotOlderThan"
		needsInitial = "Forbidden: resourceVersionMatch is forbidden for watch unless " +
			"sendInitialEvents is provided"
		onlyNoOlder = `: supported values: "NotOlderThan"`
	)
	for _, c := range []struct {
		law, query string
		causes     []string
	}{
		{"from a version, continue and limit are ignored", "resourceVersion=5&continue=x&limit=3", nil},
		{"a streaming list has both parameters",
			"sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
			nil},
		{"a watch may decline initial events",
			"sendInitialEvents=false&resourceVersionMatch=NotOlderThan", nil},
		{"sendInitialEvents without a match is refused", "sendInitialEvents=true", []string{needsMatch}},
		{"a match without sendInitialEvents is refused",
			"resourceVersionMatch=NotOlderThan", []string{needsInitial}},
		{"Exact is no match for a watch", "sendInitialEvents=true&resourceVersionMatch=Exact",
			[]string{needsMatch, `Unsupported value: "Exact"` + onlyNoOlder}},
		{"an unknown match is refused", "resourceVersionMatch=Foo",
			[]string{needsInitial, `Unsupported value: "Foo"` + onlyNoOlder}},
		{"a watch without a version is a streaming list, which has no pages", "continue=x",
			[]string{"Forbidden: " + notWithToken}},
		{"a watch from 0 is a streaming list, too",
			"resourceVersion=0&continue=x", []string{"Forbidden: " +
				notWithToken}},
	} {
		var causes []string
		if _, err := watch(t, c.query); err != nil {
			for _, cause := range status.Of(err).Details.Causes {
				causes = append(causes, cause.Message)
			}
		}
		assert.Equal(t, c.causes, causes, "%s: %s", c.law, c.query)
	}
}

func TestAWatchWithoutAVersionIsAStreamingList(t *testing.T) {
	for query, initial := range map[string]bool{"": true, "resourceVersion=0": true,
		"resourceVersion=5": false} {
		o, err := watch(t, query)
		require.NoError(t, err)
		assert.Equal(t, initial, o.Initial, "from %q", query)
	}
	o, err := watch(t, "sendInitialEvents=false&resourceVersionMatch=NotOlderThan")
	require.NoError(t, err)
	assert.False(t, o.Initial, "a watch that declines initial events gets none")
}

func TestNumbersInListOptions(t *testing.T) {
	for query, want := range map[string]string{
		"limit=x":             `strconv.ParseInt: parsing "x": invalid syntax`,
		"limit=":              `strconv.ParseInt: parsing "": invalid syntax`,
		"limit=2.5":           `strconv.ParseInt: parsing "2.5": invalid syntax`,
		"timeoutSeconds=":     `strconv.ParseInt: parsing "": invalid syntax`,
		"timeoutSeconds=soon": `strconv.ParseInt: parsing "soon": invalid syntax`,
		"limit=99999999999999999999": `strconv.ParseInt: parsing "99999999999999999999": ` +
			`value out of range`,
	} {
		q, err := url.ParseQuery(query)
		require.NoError(t, err)
		_, err = ParseList(resource.New(resource.Resource{}), q)
		assertRefused(t, err, query, 400, []string{want})
	}
	assert.Zero(t, options(t, "timeoutSeconds=-5").timeout, "a negative timeout is no timeout")
	assert.Positive(t, options(t, "timeoutSeconds=9223372036854775807").timeout,
		"no number of seconds may overflow")
}

func TestTokens(t *testing.T) {
	text := ContinueAfter(38, "ns/", "ns/w2")
	assert.Equal(t, "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MzgsInN0YXJ0IjoiL3cyXHUwMDAwIn0", text,
		"the real server's own encoding")
	token, start, err := readToken(text, "ns/")
	require.NoError(t, err)
	assert.Equal(t, int64(38), token.Version)
	assert.Equal(t, "ns/w2\x00", start, "the least key above the last one seen")

	_, start, err = readToken(text, "other/")
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(start, "other/"),
		"a token cannot lead out of the selection")
}

func TestTokensThatAreRefused(t *testing.T) {
	base64Of := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	for json, want := range map[string]string{
		`{"v":"x","rv":5,"start":"a"}`: "server does not recognize this encoded version x",
		`{"v":"meta.k8s.io/v1","rv":0,"start":"a"}`: "incorrect encoded start " +
			"resourceVersion (version meta.k8s.io/v1)",
		`{"v":"meta.k8s.io/v1","rv":5}`: "encoded start key empty " +
			"(version meta.k8s.io/v1)",
		`{"v":"meta.k8s.io/v1","rv":5,"start":"/../x"}`: "/../x",
		`{"v":"meta.k8s.io/v1","rv":5,"start":"a//b"}`:  "a//b",
		`{"v":"meta.k8s.io/v1","rv":5,"start":"/./a"}`:  "/./a",
		`nonsense`: "invalid character 'o' in literal null (expecting 'u')",
	} {
		_, _, err := readToken(base64Of(json), "")
		assert.EqualError(t, err, want, json)
	}
	_, _, err := readToken(base64Of(`{"v":"meta.k8s.io/v1","rv":5,"start":"/..a"}`), "")
	assert.NoError(t, err, "dots at the start of a name are no parent directory")
	_, _, err = readToken(ContinueAfter(5, "", "a")+"==", "")
	assert.Error(t, err, "the encoding has no padding")
}

// FuzzContinueToken checks that text that is not a token is refused, a token never leads out of its
// selection, and for every key there is a token that leads to it.
func FuzzContinueToken(f *testing.F) {
	for _, s := range []string{"", "garbage", "e30",
		"eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6Miwic3RhcnQiOiJ4In0",
		ContinueAfter(7, "default/", "default/web-1"), ContinueAfter(AnyVersion, "", "a/b")} {
		f.Add(s, "default", "web-1", int64(7))
	}
	f.Fuzz(func(t *testing.T, text, namespace, name string, version int64) {
		prefix := namespace + "/"
		if token, start, err := readToken(text, prefix); err == nil {
			assert.True(t, strings.HasPrefix(start, prefix), "%q leads to %q", text, start)
			assert.NotZero(t, token.Version)
		}
		if selector.BadSubdomain(name) != "" || version == 0 {
			return // no object has that name, or no state that version
		}
		text = ContinueAfter(version, prefix, prefix+name)
		token, start, err := readToken(text, prefix)
		require.NoError(t, err, "%q", text)
		assert.Equal(t, prefix+name+"\x00", start)
		assert.Equal(t, version, token.Version)
	})
}

// Each unprintable character of a field manager's name is an error that quotes the name.
// The length is checked first, so a long name is one error.
func TestALongFieldManagerIsOneError(t *testing.T) {
	evil := strings.Repeat("\x01", 120_000)
	found := func(name string) []string {
		var errs status.FieldErrors
		validateManager(&errs, name)
		return textsOf(errs)
	}
	assert.Equal(t, []string{"fieldManager: Too long: may not be more than 128 bytes"}, found(evil))
	assert.Equal(t, []string{
		`fieldManager: Invalid value: "a\x01ä\u200b": invalid character U+0001 (at position 1)`,
		`fieldManager: Invalid value: "a\x01ä\u200b": invalid character U+200B (at position 4)`,
	}, found("a\x01ä\u200b"), "each character of a short name is checked")
}
