package object

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
)

var (
	custom  = resource.New(resource.Resource{Group: "g.example", Version: "v1", Plural: "things", Kind: "Thing"})
	builtin = resource.New(resource.Resource{Version: "v1", Plural: "configmaps", Kind: "ConfigMap"})
)

func TestBodiesThatAreRefused(t *testing.T) {
	types := map[string]*resource.Type{"custom": custom, "builtin": builtin}
	for _, row := range story.Laws(t, "refused") {
		_, _, err := Decode(types[row[1]], []byte(row[2]), "")
		code, message, _ := strings.Cut(row[3], " ")
		assert.Equal(t, code, fmt.Sprint(status.Of(err).Code), row[0])
		assert.ErrorContains(t, err, message, row[0])
	}
	_, _, err := Decode(custom, []byte(`{"kind":"Gadget","apiVersion":"g.example/v1"}`), "")
	assert.Equal(t, "Gadget", status.Of(err).Details.Kind, "details name the kind in the body")
}

// One such object in a list, and a typed client cannot decode the list any more.
func TestABuiltinObjectThatTypedClientsCannotDecodeIsRefused(t *testing.T) {
	for _, row := range story.Laws(t, "schemas") {
		good, bad := row[2], row[3]
		typ := resource.New(resource.Resource{Group: row[1], Version: "v1", Plural: row[0], Kind: "K"})
		_, _, err := Decode(typ, []byte(good), StrictFail)
		assert.NoError(t, err, good)
		_, _, err = Decode(typ, []byte(bad), "")
		assert.Equal(t, 400, status.Of(err).Code, bad)
		assert.ErrorContains(t, err, `K in version "v1" cannot be handled as a K: `, bad)
		typ.Defined = true
		_, err = Fit(typ, valueOf(t, bad).(Tree), "", nil)
		assert.NoError(t, err, "a defined type has no such fields: %s", bad)
	}
}

func TestBodiesAreNormalized(t *testing.T) {
	for _, row := range story.Laws(t, "normalized") {
		o, _, err := Decode(builtin, []byte(row[1]), "")
		require.NoError(t, err, row[0])
		assert.Equal(t, string(JSON(valueOf(t, row[2]))), string(JSON(o)), row[0])
	}
}

func TestFlawsAreWarnedOfOrRefused(t *testing.T) {
	body := []byte(`{"kind":"Thing","kind":"Thing","apiVersion":"g.example/v1",` +
		`"metadata":{"zz":1,"name":"a","aa":1,"ownerReferences":[{},{"x":1}]},` +
		`"spec":{"a":[{"x":1,"x":2,"x":3}],"a.b":{"q":1,"q":2},"big":12345678901234567890123},"spec":{}}`)
	flaws := []string{`duplicate field "kind"`, `duplicate field "spec.a[0].x"`,
		`duplicate field "spec.a.b.q"`, `duplicate field "spec"`, `unknown field "metadata.aa"`,
		`unknown field "metadata.ownerReferences[1].x"`, `unknown field "metadata.zz"`}
	for s, want := range map[Strictness][]string{"": flaws, StrictWarn: flaws, StrictIgnore: nil} {
		o, got, err := Decode(custom, body, s)
		require.NoError(t, err)
		assert.Equal(t, want, got, "%q: each is reported once", s)
		assert.Equal(t, Tree{}, o["spec"], "the last of two fields counts")
	}
	_, _, err := Decode(custom, body, StrictFail)
	assert.ErrorContains(t, err, "strict decoding error: "+strings.Join(flaws, ", "))
	_, _, err = Decode(custom, []byte(`{"kind":"Thing","apiVersion":"g.example/v1"}`), StrictFail)
	assert.NoError(t, err, "Strict accepts a body without flaws")
}

func TestAnUnknownFieldIsNamedByTheBeginningOfItsPath(t *testing.T) {
	flaws := UnknownFields([]string{"metadata." + strings.Repeat("x", 1<<20), "metadata.y"})
	assert.Len(t, flaws[0], len(`unknown field ""`)+maxFlaw)
	assert.Equal(t, `unknown field "metadata.y"`, flaws[1])
	assert.Len(t, UnknownFields(make([]string, 10*maxFlaws)), maxFlaws)
}

func errorsIn(t *testing.T, metadata string) []string {
	t.Helper()
	m := Meta(valueOf(t, metadata).(Tree))
	if m["namespace"] == nil {
		m["namespace"] = "default"
	}
	var errs status.FieldErrors
	ValidateMeta(&errs, custom, m)
	var texts []string
	for _, e := range errs {
		texts = append(texts, e.String())
	}
	return texts
}

func TestMetadataThatIsInvalid(t *testing.T) {
	for _, row := range story.Laws(t, "metadata") {
		got := errorsIn(t, row[1])
		var wanted []string
		if row[2] != "nothing" {
			wanted = strings.Split(row[2], " ; ")
		}
		assert.True(t, slices.EqualFunc(got, wanted, strings.HasPrefix), "%s: %s", row, got)
	}
	text := func(n int) string { return `":"` + strings.Repeat("x", n) + `"` }
	assert.Empty(t, errorsIn(t, `{"name":"a","annotations":{"b`+text(maxAnnotations-1)+`}}`),
		"annotations may have exactly 256 KiB")
	assert.Equal(t, []string{"metadata.annotations: Too long: may not be more than 262144 bytes"},
		errorsIn(t, `{"name":"a","annotations":{"b`+text(maxAnnotations)+`}}`))
}

func TestLongValuesAreQuotedInPart(t *testing.T) {
	long := strings.Repeat("ä", status.MaxShown)
	assert.Equal(t, `"`+long+`"`, status.Show(long))
	assert.Equal(t, `"`+long+`"...`, status.Show(long+"x"))
	assert.Equal(t, `["`+strings.Repeat("x", status.MaxShown-2)+`...`,
		status.Show([]string{strings.Repeat("x", 1000)}))
	assert.Equal(t, `{"a":1}`, status.Show(map[string]any{"a": 1}))
}

func valueOf(t *testing.T, text string) any {
	t.Helper()
	v, err := DecodeValue([]byte(text))
	require.NoError(t, err, text)
	return v
}
