package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEvents(t *testing.T) {
	for _, c := range []struct{ says, frame, want string }{
		{"ADDED carries an object", event(reflector.Added, "web-1@5"), "ADDED shop/web-1@5 "},
		{"MODIFIED carries an object", event(reflector.Modified, "web-1@6"),
			"MODIFIED shop/web-1@6 "},
		{"DELETED carries an object", event(reflector.Deleted, "web-1@7"), "DELETED shop/web-1@7 "},
		{"a bookmark carries only a version", bookmark("8"), "BOOKMARK 8"},
		{"a bookmark with the annotation is the end of the initial events",
			initialEnd("9"), "BOOKMARK 9, end of initial events"},
		{"a bookmark whose annotation has another value than true is an ordinary one",
			strings.Replace(initialEnd("9"), `"true"`, `"True"`, 1), "BOOKMARK 9"},
		{"the fields of an event may come in any order",
			`{"object":` + item("web-1@5") + `,"type":"ADDED"}`, "ADDED shop/web-1@5 "},
		{"unknown fields are skipped",
			`{"type":"ADDED","new":[1],"object":` + item("web-1@5") + `}`, "ADDED shop/web-1@5 "},
		{"a bookmark need not fit into the struct",
			`{"type":"BOOKMARK","object":{"spec":"none","metadata":{"resourceVersion":"8"}}}`,
			"BOOKMARK 8"},
	} {
		e, err := DecodeEvent[widget]([]byte(c.frame))
		if assert.NoError(t, err, c.says) {
			assert.Equal(t, c.want, showEvent(e), c.says)
		}
	}
}

func TestSkippedEvents(t *testing.T) {
	const says = "an object that cannot be used is skipped, and the stream goes on"
	for _, c := range []struct{ frame, want string }{
		{`{"type":"ADDED"}`, "skipped ADDED event: it has no object"},
		{`{"type":"ADDED","object":null}`, "skipped ADDED event: it has no object"},
		{`{"type":"MODIFIED","object":{}}`,
			"skipped MODIFIED event: its object has no metadata.name"},
		{`{"type":"DELETED","object":{"metadata":{"namespace":"shop"}}}`,
			"skipped DELETED event: its object has no metadata.name"},
		{`{"type":"BOOKMARK"}`, "skipped BOOKMARK event: it has no object"},
		{`{"type":"BOOKMARK","object":{"metadata":{}}}`,
			"skipped BOOKMARK event: its object has no metadata.resourceVersion"},
	} {
		_, err := DecodeEvent[widget]([]byte(c.frame))
		_, ok := errors.AsType[*reflector.ObjectError](err)
		assert.True(t, ok, says)
		assert.EqualError(t, err, c.want, says)
	}
}

func TestGarbageEvents(t *testing.T) {
	const says = "a frame that is not an event of the API is an error that says why"
	for _, c := range []struct{ frame, want string }{
		{`{"type":"WHAT"}`, `cannot read watch event: unknown type "WHAT"`},
		{`{"type":"added","object":{}}`, `cannot read watch event: unknown type "added"`},
		{`{"type":7}`, `cannot read watch event: unknown type 7`},
		{`{"type":""}`, `cannot read watch event: unknown type ""`},
		{`{"object":{}}`, `cannot read watch event: it has no type: it begins "{\"object\":{}}"`},
		{`{}`, `cannot read watch event: it has no type: it begins "{}"`},
		{`{"type":}`, "cannot read watch event: invalid character '}'"},
		{`{"type":"ADDED","object":[]}`, "cannot read watch event: ADDED event: json: cannot"},
		{`{"type":"ADDED","object":{"metadata":{"name":1}}}`, "json: cannot unmarshal number"},
		{`{"type":"BOOKMARK","object":7}`, "cannot read watch event: BOOKMARK event: json: cannot"},
		{`{"type":"ERROR"}`, "cannot read ERROR event: its object is no Status: it begins \"\""},
		{`{"type":"ERROR","object":"no"}`, `its object is no Status: it begins "\"no\""`},
		{`{"type":"ERROR","object":{"kind":"Widget"}}`, "its object is no Status"},
	} {
		_, err := DecodeEvent[widget]([]byte(c.frame))
		_, ok := errors.AsType[*reflector.DecodeError](err)
		if assert.True(t, ok, "%s: %v", says, err) {
			assert.ErrorContains(t, err, c.want, says)
		}
	}
}

func TestErrorEvents(t *testing.T) {
	frame := `{"type":"ERROR","object":{"kind":"Status","status":"Failure","code":504,` +
		`"message":"slow","reason":"Timeout","details":{"retryAfterSeconds":2,` +
		`"causes":[{"reason":"ResourceVersionTooLarge","message":"Too large resource version"}]}}}`
	_, err := DecodeEvent[widget]([]byte(frame))
	refused, ok := errors.AsType[*reflector.StatusError](err)
	require.True(t, ok, "an ERROR event is an error even if its Status does not fit into the struct")
	assert.EqualError(t, refused, "server says 504 Timeout: slow")
	assert.True(t, reflector.IsTooLargeResourceVersion(err), "the causes of an ERROR event are read")
	assert.Equal(t, 2.0, refused.RetryAfter.Seconds(), "retryAfterSeconds of an ERROR event is read")
}

func TestKinds(t *testing.T) {
	d := eventDecoder[watchglass.Unstructured, *watchglass.Unstructured]{wanted{kind: "Widget"}}
	_, err := d.decode([]byte(event(reflector.Added, "web-1@5")))
	assert.NoError(t, err, "an object of the kind that was asked for is accepted")
	for _, frame := range []string{event(reflector.Added, "web-1@5"), bookmark("6")} {
		_, err = d.decode([]byte(strings.Replace(frame, "Widget", "Gadget", 1)))
		assert.ErrorContains(t, err, `object is a "Gadget" of "workshop.example.dev/v1", `+
			`want a "Widget" of (any)`, "an object of another kind is an error, in a bookmark too")
		_, ok := errors.AsType[*reflector.ObjectError](err)
		assert.True(t, ok)
	}
	d.apiVersion = "workshop.example.dev/v2"
	_, err = d.decode([]byte(event(reflector.Added, "web-1@5")))
	assert.ErrorContains(t, err, `want a "Widget" of "workshop.example.dev/v2"`)
}

func TestKindMayBeMissing(t *testing.T) {
	d := eventDecoder[watchglass.Unstructured, *watchglass.Unstructured]{wanted{"Widget", "v1"}}
	for _, object := range []string{`{}`, `{"kind":"Widget"}`, `{"apiVersion":"v1"}`} {
		for _, eventType := range []reflector.EventType{reflector.Added, reflector.Bookmark} {
			frame := fmt.Sprintf(`{"type":%q,"object":%s,"metadata":{"name":"web-1",`+
				`"resourceVersion":"9"}}}`, eventType, strings.TrimSuffix(object, "}"))
			frame = strings.Replace(frame, "{,", "{", 1)
			_, err := d.decode([]byte(frame))
			assert.NoError(t, err, "an object that gives no kind or apiVersion is accepted: %s", frame)
		}
	}
}

// A picky object refuses to be decoded unless it has a spec.
type picky struct{ watchglass.ObjectMeta }

func (p *picky) UnmarshalJSON(data []byte) error {
	var doc struct {
		Metadata watchglass.ObjectMeta
		Spec     *struct{}
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return err
	}
	if p.ObjectMeta = doc.Metadata; doc.Spec == nil {
		return errors.New("no spec")
	}
	return nil
}

func TestDecodersOfObjects(t *testing.T) {
	const metadata = `"metadata":{"name":"web-1","resourceVersion":"8"}`
	for _, c := range []struct{ says, eventType, object, want string }{
		{"an object may have a decoder of its own", "ADDED", `{"spec":{},` + metadata + `}`, "<nil>"},
		{"the error of an object's decoder is an error of the event", "ADDED", `{` + metadata + `}`,
			"cannot read watch event: ADDED event: no spec"},
		{"an object's decoder gets only valid JSON", "ADDED", `{"spec":{},,` + metadata + `}`,
			"cannot read watch event: invalid character ','"},
		{"an object's decoder gets no bookmark", "BOOKMARK", `{` + metadata + `}`, "<nil>"},
		{"an object's decoder gets no Status", "ERROR", statusBody(410, "Expired", "old"),
			"server says 410 Expired: old"},
	} {
		for _, frame := range []string{
			fmt.Sprintf(`{"type":%q,"object":%s}`, c.eventType, c.object),
			fmt.Sprintf(`{"object":%s,"type":%q}`, c.object, c.eventType),
		} {
			_, err := DecodeEvent[picky]([]byte(frame))
			assert.Contains(t, fmt.Sprint(err), c.want, "%s: %s", c.says, frame)
		}
	}
}

func TestNumbersOfDynamicObjects(t *testing.T) {
	e, err := DecodeEvent[watchglass.Unstructured]([]byte(`{"type":"ADDED","object":` +
		`{"metadata":{"name":"web-1"},"spec":{"size":9007199254740993,"share":1.50}}}`))
	require.NoError(t, err)
	u := e.Object.(*watchglass.Unstructured)
	assert.Equal(t, json.Number("9007199254740993"), u.At("spec", "size"),
		"a number that a float64 cannot hold keeps all its digits")
	assert.Equal(t, json.Number("1.50"), u.At("spec", "share"), "a number keeps a zero at its end")
}

func TestDynamicObjectsShareDecoders(t *testing.T) {
	shared := testing.AllocsPerRun(100, func() {
		decodeObject([]byte(podJSON), new(watchglass.Unstructured))
	})
	alone := testing.AllocsPerRun(100, func() {
		new(watchglass.Unstructured).UnmarshalJSON([]byte(podJSON))
	})
	assert.Less(t, shared, alone, "with shared decoders an object costs fewer allocations")
}

// The decoder guesses that a frame has the usual form. If the guess is wrong, it must decode the
// frame as if it had not guessed. Otherwise it would return an event that the server did not send.
func TestAWrongGuessOfTheFormChangesNoEvent(t *testing.T) {
	object := item("web-1@5")
	for _, c := range []struct{ says, frame, want string }{
		{"the usual form", `{"type":"ADDED","object":` + object + `}`, "ADDED shop/web-1@5 "},
		{"space", `{"type":"ADDED","object": ` + object + ` }`, "ADDED shop/web-1@5 "},
		{"the last of two types counts", `{"type":"ADDED","object":` + object +
			`,"type":"DELETED"}`, "DELETED shop/web-1@5 "},
		{"the last of two objects counts", `{"type":"ADDED","object":` + object + `,"object":` +
			item("web-2@6") + `}`, "ADDED shop/web-2@6 "},
		{"a field after the object", `{"type":"ADDED","object":` + object + `,"new":{}}`,
			"ADDED shop/web-1@5 "},
		{"a type written in another way", `{"type":"\u0041DDED","object":` + object + `}`,
			"ADDED shop/web-1@5 "},
		{"no brace at the end", `{"type":"ADDED","object":` + object + `]`, "invalid character"},
		{"two braces at the end", `{"type":"ADDED","object":` + object + `}}`, "invalid character"},
		{"no end", `{"type":"ADDED","object":` + object, "unexpected end"},
		{"nothing", `{"type":"ADDED","object":`, "unexpected end"},
		{"a number in place of the object", `{"type":"ADDED","object":7}`, "cannot unmarshal number"},
	} {
		e, err := DecodeEvent[widget]([]byte(c.frame))
		dynamic, dynamicErr := DecodeEvent[watchglass.Unstructured]([]byte(c.frame))
		if err != nil {
			assert.ErrorContains(t, err, c.want, c.says)
			assert.Error(t, dynamicErr, c.says)
			continue
		}
		assert.Equal(t, c.want, showEvent(e), c.says)
		if assert.NoError(t, dynamicErr, c.says) {
			assert.Equal(t, e.Type, dynamic.Type, "%s, as a dynamic object", c.says)
			assert.Equal(t, e.Object.GetName(), dynamic.Object.GetName(), c.says)
		}
	}
}

func TestEventOwnsItsBytes(t *testing.T) {
	frame := []byte(event(reflector.Added, "web-1@5"))
	e, err := DecodeEvent[widget](frame)
	require.NoError(t, err)
	for i := range frame {
		frame[i] = 'x'
	}
	assert.Equal(t, "ADDED shop/web-1@5 ", showEvent(e),
		"an event does not change when the buffer of its frame is used again")
}

func TestADecoderKeepsNothingOfTheEventBefore(t *testing.T) {
	var d eventDecoder[widget, *widget]
	first, err := d.decode([]byte(`{"type":"ADDED","object":{"metadata":{"name":"web-1"},` +
		`"spec":{"color":"red"}}}`))
	require.NoError(t, err)
	second, err := d.decode([]byte(event(reflector.Added, "web-2@5")))
	require.NoError(t, err)
	assert.NotSame(t, first.Object, second.Object, "every event has an object of its own")
	assert.Empty(t, second.Object.(*widget).Spec.Color,
		"an object has no fields of the object before it")
	_, err = d.decode([]byte(`{"object":` + item("web-3@6") + `}`))
	assert.ErrorContains(t, err, "no type", "an event does not get the type of the event before it")
}

// FuzzEvent decodes any frame. The result must be either an event that the reflector can use or an
// error of a type that it knows.
func FuzzEvent(f *testing.F) {
	for _, seed := range []string{
		event(reflector.Added, "web-1@5"), bookmark("8"), initialEnd("9"),
		errorFrame(410, "Expired", "old"),
		`{"type":"WHAT"}`, `{"type":null,"object":{"metadata":null}}`, `{"TYPE":"ADDED"}`, `{`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		e, err := DecodeEvent[widget](frame)
		same, sameErr := new(eventDecoder[widget, *widget]).decodeAny(frame)
		require.Equal(t, same, e, "the guess of the usual form returns the same event")
		require.Equal(t, fmt.Sprint(sameErr), fmt.Sprint(err))
		if err == nil {
			require.True(t, json.Valid(frame))
			require.Equal(t, e.Type == reflector.Bookmark, e.Object == nil)
			require.False(t, e.Type == reflector.Bookmark && e.ResourceVersion == "")
			require.False(t, e.Type != reflector.Bookmark && e.Object.GetName() == "")
			return
		}
		_, skip := errors.AsType[*reflector.ObjectError](err)
		_, garbage := errors.AsType[*reflector.DecodeError](err)
		_, refused := errors.AsType[*reflector.StatusError](err)
		require.True(t, skip || garbage || refused, "%T", err)
	})
}
