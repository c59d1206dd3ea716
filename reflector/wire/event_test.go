package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAFrameBecomes(t *testing.T) {
	object := item("web-1@5")
	for law, c := range map[string]struct{ frame, want string }{
		"an event with its object, if it is ADDED":    {event("ADDED", "web-1@5"), "ADDED web-1@5 "},
		"an event with its object, if it is MODIFIED": {event("MODIFIED", "web-1@6"), "MODIFIED web-1@6 "},
		"an event with its object, if it is DELETED":  {event("DELETED", "web-1@7"), "DELETED web-1@7 "},
		"a version, if it is a bookmark":              {bookmark("8", ""), "BOOKMARK 8"},
		"the end of the initial events by an annotation": {
			bookmark("9", `"k8s.io/initial-events-end":"true"`), "BOOKMARK 9, end of initial events"},
		"an ordinary bookmark by another value of it": {
			bookmark("9", `"k8s.io/initial-events-end":"True"`), "BOOKMARK 9"},
		"a bookmark even if it does not fit into the struct": {
			`{"type":"BOOKMARK","object":{"spec":"none","metadata":{"resourceVersion":"8"}}}`,
			"BOOKMARK 8"},

		// The decoder guesses that a frame has the usual form. If it has another, it must decode it as
		// if it had not guessed.
		"the same in any order of its fields": {
			`{"object":` + object + `,"type":"ADDED"}`, "ADDED web-1@5 "},
		"the same with fields that are unknown": {
			`{"type":"ADDED","new":[1],"object":` + object + `}`, "ADDED web-1@5 "},
		"the same with an unknown field at its end": {
			`{"type":"ADDED","object":` + object + `,"new":{}}`, "ADDED web-1@5 "},
		"the same with whitespace":         {`{"type":"ADDED","object": ` + object + ` }`, "ADDED web-1@5 "},
		"the same if the type has escapes": {`{"type":"\u0041DDED","object":` + object + `}`, "ADDED web-1@5 "},
		"the last of two types": {
			`{"type":"ADDED","object":` + object + `,"type":"DELETED"}`, "DELETED web-1@5 "},
		"the last of two objects": {`{"type":"ADDED","object":` + object + `,"object":` +
			item("web-2@6") + `}`, "ADDED web-2@6 "},
		"an error without its last brace":      {`{"type":"ADDED","object":` + object, "unexpected end"},
		"an error with a bracket in its stead": {`{"type":"ADDED","object":` + object + `]`, "invalid character"},
		"an error with two":                    {`{"type":"ADDED","object":` + object + `}}`, "invalid character"},
		"an error without the object's end":    {`{"type":"ADDED","object":`, "unexpected end"},

		"a skipped event without an object":  {`{"type":"ADDED"}`, "skipped ADDED event: it has no object"},
		"a skipped event with null":          {`{"type":"ADDED","object":null}`, "skipped ADDED event: it has no object"},
		"a skipped event without metadata":   {`{"type":"MODIFIED","object":{}}`, "skipped MODIFIED event: its object has no metadata.name"},
		"a skipped bookmark without object":  {`{"type":"BOOKMARK"}`, "skipped BOOKMARK event: it has no object"},
		"a skipped bookmark without version": {`{"type":"BOOKMARK","object":{}}`, "skipped BOOKMARK event: its object has no metadata.resourceVersion"},

		"an error for an unknown type":     {`{"type":"WHAT"}`, `cannot read watch event: unknown type "WHAT" in a frame that begins "{\"type\":\"WHAT\"}"`},
		"an error for a type in lowercase": {`{"type":"added","object":{}}`, `unknown type "added" in`},
		"an error for a type without name": {`{"type":""}`, `unknown type "" in`},
		"an error for a number as type":    {`{"type":7}`, `unknown type 7 in`},
		"an error for no type":             {`{"object":{}}`, `unknown type (none) in a frame that begins "{\"object\":{}}"`},
		"an error for no JSON":             {`{"type":}`, "cannot read watch event: invalid character '}'"},
		"an error for a bad bookmark":      {`{"type":"BOOKMARK","object":7}`, "cannot read watch event: BOOKMARK event: json: cannot"},
		"an error for an array":            {`{"type":"ADDED","object":[]}`, "cannot read watch event: ADDED event: "},
		"an error that is short": {`{"type":"ADDED","object":{"spec":{"size":` + strings.Repeat("1", 6000) + `}}}`,
			"cannot read watch event: ADDED event: json: cannot unmarshal number 111"},

		"the refusal in an ERROR":            {`{"type":"ERROR","object":` + statusBody(410, "Expired", "too old") + `}`, "server says 410 Expired: too old"},
		"an error for an ERROR of its own":   {`{"type":"ERROR","object":{"kind":"Widget"}}`, `cannot read ERROR event: its object is no Status: it begins "{\"kind\":\"Widget\"}"`},
		"an error for an ERROR with a word":  {`{"type":"ERROR","object":"no"}`, `its object is no Status: it begins "\"no\""`},
		"an error for an ERROR with nothing": {`{"type":"ERROR"}`, `its object is no Status: it begins ""`},
	} {
		t.Run(law, func(t *testing.T) {
			e, err := eventDecoder[widget, *widget]{}.decode(new(decoder), []byte(c.frame))
			got := show(e, err)
			assert.Contains(t, got, c.want)
			assert.Less(t, len(got), 300)
			assert.Equal(t, strings.HasPrefix(got, "skipped"), is[*reflector.ObjectError](err))
			assert.Equal(t, strings.HasPrefix(got, "cannot"), is[*reflector.DecodeError](err))
			if dynamic, err := (eventDecoder[watchglass.Unstructured, *watchglass.Unstructured]{}).
				decode(new(decoder), []byte(c.frame)); !strings.Contains(got, "json: cannot") {
				assert.Equal(t, err == nil, !strings.Contains(got, ": "), "%v", err)
				assert.Equal(t, e.Type, dynamic.Type, "a dynamic object is no other event")
			}
		})
	}
}

// FuzzEvent decodes any frame. The result must be the one without the guess of the usual form, and
// an event that the reflector can use or an error of a type that it knows.
func FuzzEvent(f *testing.F) {
	for _, seed := range []string{
		event("ADDED", "web-1@5"), bookmark("8", ""), `{"type":"ERROR","object":{"kind":"Status"}}`,
		`{"type":"WHAT"}`, `{"type":null,"object":{"metadata":null}}`, `{"TYPE":"ADDED"}`, `{`,
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
		"in a bookmark, too": {wanted{"Gadget", ""}, bookmark("6", ""),
			`skipped BOOKMARK event: its kind is "Widget", want "Gadget"`},
		"unless it is of the kind": {wanted{"Widget", apiVersion}, event("ADDED", "web-1@5"),
			"ADDED web-1@5 "},
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
	e, err := eventDecoder[least, *least]{wanted{"Gadget", ""}}.decode(new(decoder), []byte(event("ADDED", "web-1@5")))
	require.NoError(t, err, "a struct that cannot say its kind is accepted")
	assert.Equal(t, "web-1", e.Object.GetName())
}

// A picky object refuses to be decoded unless it has a spec.
type picky struct{ watchglass.ObjectMeta }

func (p *picky) UnmarshalJSON(data []byte) error {
	var doc struct {
		Metadata watchglass.ObjectMeta
		Spec     *struct{}
	}
	err := json.Unmarshal(data, &doc)
	if p.ObjectMeta = doc.Metadata; err == nil && doc.Spec == nil {
		return fmt.Errorf("no spec: %w", io.EOF)
	}
	return err
}

func TestTheDecoderOfAnObject(t *testing.T) {
	const metadata = `"metadata":{"name":"web-1","resourceVersion":"8"}`
	for law, c := range map[string]struct{ eventType, object, want string }{
		"is called":                     {"ADDED", `{"spec":{},` + metadata + `}`, "<nil>"},
		"may refuse it":                 {"ADDED", `{` + metadata + `}`, "cannot read watch event: ADDED event: no spec: EOF"},
		"gets only valid JSON":          {"ADDED", `{"spec":{},,` + metadata + `}`, "cannot read watch event: invalid character ','"},
		"gets no bookmark":              {"BOOKMARK", `{` + metadata + `}`, "<nil>"},
		"gets no Status":                {"ERROR", statusBody(410, "Expired", "old"), "server says 410 Expired: old"},
		"gets no event of unknown type": {"WHAT", `{` + metadata + `}`, "unknown type"},
	} {
		for _, form := range []string{`{"type":%[1]q,"object":%[2]s}`, `{"object":%[2]s,"type":%[1]q}`} {
			t.Run(law, func(t *testing.T) {
				frame := []byte(fmt.Sprintf(form, c.eventType, c.object))
				_, err := eventDecoder[picky, *picky]{}.decode(new(decoder), frame)
				assert.Contains(t, fmt.Sprint(err), c.want)
			})
		}
	}
}

func TestAnEvent(t *testing.T) {
	d := eventDecoder[watchglass.Unstructured, *watchglass.Unstructured]{}
	t.Run("keeps the digits of the numbers of a dynamic object", func(t *testing.T) {
		for _, form := range []string{`{"type":"ADDED","object":%s}`, `{"object":%s,"type":"ADDED"}`} {
			e, err := d.decode(new(decoder), []byte(fmt.Sprintf(form,
				`{"metadata":{"name":"web-1"},"spec":{"size":9007199254740993,"share":1.50}}`)))
			require.NoError(t, err)
			u := e.Object.(*watchglass.Unstructured)
			assert.Equal(t, json.Number("9007199254740993"), u.At("spec", "size"))
			assert.Equal(t, json.Number("1.50"), u.At("spec", "share"))
		}
	})
	t.Run("does not change when the buffer of its frame is used again", func(t *testing.T) {
		frame := []byte(event("ADDED", "web-1@5"))
		typed, err := eventDecoder[widget, *widget]{}.decode(new(decoder), frame)
		require.NoError(t, err)
		dynamic, err := d.decode(new(decoder), frame)
		require.NoError(t, err)
		for i := range frame {
			frame[i] = 'x'
		}
		assert.Equal(t, "ADDED web-1@5 ", show(typed, nil))
		assert.Equal(t, "ADDED web-1@5 ", show(dynamic, nil))
	})
	t.Run("that is a refusal has its causes and its wait", func(t *testing.T) {
		_, err := d.decode(new(decoder), []byte(`{"type":"ERROR","object":{"kind":"Status","code":504,"reason":`+
			`"Timeout","details":{"retryAfterSeconds":2,"causes":[{"reason":"ResourceVersionTooLarge"}]}}}`))
		refused, _ := errors.AsType[*reflector.StatusError](err)
		require.NotNil(t, refused)
		assert.True(t, reflector.IsTooLargeResourceVersion(err))
		assert.Equal(t, 2.0, refused.RetryAfter.Seconds())
	})
}
