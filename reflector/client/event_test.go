package client

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAFrameBecomes(t *testing.T) {
	const garbage = "cannot read watch event: "
	for law, c := range map[string]struct{ frame, want string }{
		"a version if it is a bookmark, which need not fit into the struct": {
			`{"type":"BOOKMARK","object":{"spec":7,"metadata":{"resourceVersion":"8"}}}`, "BOOKMARK 8"},
		"the end of the initial events by an annotation": {
			bookmark("9", `"k8s.io/initial-events-end":"true"`), "BOOKMARK 9, end of initial events"},
		"an ordinary bookmark by another value of it": {
			bookmark("9", `"k8s.io/initial-events-end":"True"`), "BOOKMARK 9"},

		"one with the identity of the object, if the rest does not fit": {misfit("MODIFIED"),
			"MODIFIED web-1@8 cannot be used"},
		"the same if the type comes last": {`{"object":` + misfitItem + `,"type":"DELETED"}`,
			"DELETED web-1@8 cannot be used"},
		"an error if the metadata does not fit, either": {
			`{"type":"ADDED","object":{"metadata":{"name":7}}}`, garbage + "ADDED event: json: cannot unmarshal number"},

		"an error without an object":         {`{"type":"ADDED"}`, garbage + "ADDED event: it has no object"},
		"an error with null for an object":   {`{"type":"ADDED","object":null}`, garbage + "ADDED event: it has no object"},
		"an error if its object has no name": {`{"type":"MODIFIED","object":{}}`, garbage + "MODIFIED event: it has no"},
		"skipped as one that has no version": {`{"type":"BOOKMARK","object":{}}`, "skipped BOOKMARK event: its"},

		"an error for an unknown type": {`{"type":"WHAT"}`,
			garbage + `unknown type "WHAT" in a frame that begins "{\"type\":\"WHAT\"}"`},
		"an error for a bad bookmark": {`{"type":"BOOKMARK","object":7}`, garbage + "BOOKMARK event: json"},
		"an error for an array":       {`{"type":"ADDED","object":[]}`, garbage + "ADDED event: "},
		"an error that is short": {`{"type":"ADDED","object":{"spec":{"size":` +
			strings.Repeat("1", 6000) + `}}}`, garbage + "ADDED event: json: cannot unmarshal number 111"},

		"the refusal in an ERROR, with its wait": {`{"type":"ERROR","object":{"kind":"Status","code":410,` +
			`"reason":"Expired","message":"old","details":{"retryAfterSeconds":2}}}`,
			"server says 410 Expired: old"},
		"an error for another ERROR": {`{"type":"ERROR","object":{"kind":"Widget"}}`,
			`cannot read ERROR event: its object is no Status: it begins "{\"kind\":\"Widget\"}"`},
	} {
		t.Run(law, func(t *testing.T) {
			e, err := eventDecoder[widget, *widget]{}.decode(new(decoder), []byte(c.frame))
			got := show(e, err)
			if assert.Contains(t, got, c.want); err == nil {
				assert.Equal(t, c.want, got)
			}
			if unusable, ok := e.Object.(*watchglass.Unusable); ok {
				assert.ErrorContains(t, unusable, `"shop/web-1" at version "8" cannot be used: `+
					`json: cannot unmarshal string into Go struct field`)
			}
			assert.Less(t, len(got), 300)
			assert.Equal(t, strings.HasPrefix(got, "skipped"), is[*reflector.ObjectError](err))
			assert.Equal(t, strings.HasPrefix(got, "cannot"), is[*reflector.DecodeError](err))
			assert.Equal(t, strings.HasPrefix(got, "server"), reflector.SuggestsClientDelay(err) > 0)
		})
	}
}

// misfitItem does not fit into a widget, whose spec has a number.
const misfitItem = `{"metadata":{"name":"web-1","namespace":"shop","resourceVersion":"8"},"spec":{"size":"XL"}}`

func misfit(eventType string) string {
	return fmt.Sprintf(`{"type":%q,"object":%s}`, eventType, misfitItem)
}

// FuzzEvent decodes any frame. The result must be the one without the guess of the usual form, and
// an event that the reflector can use or an error of a type that it knows.
func FuzzEvent(f *testing.F) {
	web := item("web-1@5")
	for _, seed := range []string{
		event("ADDED", "web-1@5"), `{"object":` + web + `,"type":"ADDED"}`,
		`{"type":"ADDED","new":[1],"object":` + web + `}`,
		`{"type":"ADDED","object": ` + web + ` ,"new":{}}`, `{"type":"\u0041DDED","object":` + web + `}`,
		`{"type":"DELETED","object":` + web + `,"type":"ADDED"}`,
		`{"type":"ADDED","object":` + web + `,"object":` + web + `}`, `{"type":"ADDED","object":` + web,
		`{"type":"ADDED","object":` + web + ` `,
		`{"type":"ADDED","object":` + web + `]`, `{"type":"ADDED","object":` + web + `}}`,
		bookmark("8", ""), misfit("ADDED"), `{"type":"ERROR","object":{"kind":"Status"}}`,
		`{"type":null,"object":{"metadata":null}}`, `{"TYPE":"ADDED"}`, `{`,
		`{"type":"ADDED","object":{}}`, `{"type":"ADDED","object":{}},"object":{}}`,
	} {
		f.Add([]byte(seed))
	}
	d := eventDecoder[widget, *widget]{}
	f.Fuzz(func(t *testing.T, frame []byte) {
		e, err := d.decode(new(decoder), frame)
		same, sameErr := d.decodeAny(new(decoder), frame)
		require.Equal(t, same, e)
		require.Equal(t, fmt.Sprint(sameErr), fmt.Sprint(err))
		if err == nil {
			require.True(t, json.Valid(frame))
			require.Equal(t, e.Type == reflector.Bookmark, e.Object == nil)
			require.False(t, e.Object == nil && e.ResourceVersion == "")
			require.False(t, e.Object != nil && e.Object.GetName() == "")
			return
		}
		require.True(t, is[*reflector.ObjectError](err) || is[*reflector.DecodeError](err) ||
			is[*reflector.StatusError](err), "%T", err)
	})
}

func TestAnObjectOfAnotherKindIsSkipped(t *testing.T) {
	for law, c := range map[string]struct {
		wanted
		frame, want string
	}{
		"by its kind": {wanted{"Gadget", ""}, event("ADDED", "web-1@5"),
			`skipped ADDED event: its kind is "Widget", want "Gadget"`},
		"by its apiVersion": {wanted{"Widget", "v2"}, event("ADDED", "web-1@5"),
			`skipped ADDED event: its apiVersion is "workshop.example.dev/v1", want "v2"`},
		"if it does not fit, either": {wanted{"Gadget", ""},
			`{"type":"ADDED","object":{"kind":"Widget","metadata":{"name":"web-1"},"spec":7}}`,
			`skipped ADDED event: its kind is "Widget", want "Gadget"`},
		"if it is a bookmark, too": {wanted{"Gadget", ""}, bookmark("8", ""),
			`skipped BOOKMARK event: its kind is "Widget", want "Gadget"`},
		"unless it gives no kind": {wanted{"Widget", "v1"},
			`{"type":"ADDED","object":{"metadata":{"name":"web-1"}}}`, "ADDED web-1@ "},
		"unless a bookmark gives none": {wanted{"Widget", "v1"},
			`{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"6"}}}`, "BOOKMARK 6"},
	} {
		t.Run(law, func(t *testing.T) {
			e, err := eventDecoder[watchglass.Unstructured, *watchglass.Unstructured]{c.wanted}.
				decode(new(decoder), []byte(c.frame))
			assert.Equal(t, c.want, show(e, err))
		})
	}
	t.Run("unless its struct has no kind", func(t *testing.T) {
		_, err := eventDecoder[widget, *widget]{wanted{"Gadget", ""}}.
			decode(new(decoder), []byte(event("ADDED", "web-1@5")))
		assert.NoError(t, err)
	})
}

func TestAnEvent(t *testing.T) {
	dynamic := eventDecoder[watchglass.Unstructured, *watchglass.Unstructured]{}
	t.Run("keeps the digits of the numbers of a dynamic object", func(t *testing.T) {
		for _, form := range []string{`{"type":"ADDED","object":%s}`, `{"object":%s,"type":"ADDED"}`} {
			e, err := dynamic.decode(new(decoder), fmt.Appendf(nil, form,
				`{"metadata":{"name":"web-1"},"spec":{"size":9007199254740993,"share":1.50}}`))
			require.NoError(t, err)
			assert.Equal(t, map[string]any{"size": json.Number("9007199254740993"),
				"share": json.Number("1.50")}, e.Object.(*watchglass.Unstructured).At("spec"))
		}
	})
	t.Run("is decoded without a copy of its frame if it is large", func(t *testing.T) {
		object := fmt.Appendf(nil, `{"metadata":{"name":"web-1"},"unread":"%01000000d"}`, 1)
		before := story.Allocated()
		require.NoError(t, new(decoder).unmarshal(object, new(widget)))
		assert.Less(t, story.Allocated()-before, len(object)/2)
	})
	t.Run("is decoded by the decoder of the one before it", func(t *testing.T) {
		by := new(decoder)
		decode := func() (typed, dynamic *json.Decoder) {
			require.NoError(t, by.unmarshal([]byte(item("web-1@5")), new(widget)))
			require.NoError(t, by.unmarshal([]byte(item("web-1@5")), new(watchglass.Unstructured)))
			return by.typed, by.dynamic
		}
		typed, dynamic := decode()
		require.NotNil(t, typed, "nothing was wrong with the object")
		typedAgain, dynamicAgain := decode()
		assert.Same(t, typed, typedAgain)
		assert.Same(t, dynamic, dynamicAgain)
	})
	t.Run("shares nothing with its frame, or with the event before it", func(t *testing.T) {
		for _, decode := range []decodeFunc[reflector.Event]{
			eventDecoder[widget, *widget]{}.decode, dynamic.decode,
		} {
			by := new(decoder)
			frame := []byte(`{"type":"ADDED","object":{"metadata":{"name":"a"},"spec":{"color":"red"}}}`)
			first, err := decode(by, frame)
			require.NoError(t, err)
			copy(frame, strings.Repeat("x", len(frame)))
			for _, broken := range []string{
				`{"type":"ADDED","object":{}` + item("db-11@4") + `}`, // as long as the object that comes next
				`{"type":"ADDED","object":{"metadata":{},}}`, `{"type":"ADDED"`,
			} {
				_, err = decode(by, []byte(broken))
				require.Error(t, err)
				again, err := decode(by, []byte(event("ADDED", "web-1@5")))
				assert.Equal(t, "ADDED web-1@5 ", show(again, err))
			}
			assert.Equal(t, "ADDED a@ red", show(first, nil))
		}
	})
}
