package wire

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestListDocuments(t *testing.T) {
	for _, c := range []struct{ says, in, want string }{
		{"a list may be empty", list("4"), "version 4"},
		{"items keep their order", list("7", "web-2@6", "db-1@5"),
			"shop/web-2@6 |shop/db-1@5 |version 7"},
		{"a list may have a token for the next page", page("7", "t", "web-1@6"),
			"shop/web-1@6 |version 7, continue"},
		{"fields may come in any order",
			`{"metadata":{"resourceVersion":"7"},"kind":"WidgetList","items":[` + item("web-1@6") + `]}`,
			"shop/web-1@6 |version 7"},
		{"unknown fields are skipped",
			`{"new":{"items":[1]},"items":[` + item("web-1@6") + `],"metadata":{"resourceVersion":"7"}}`,
			"shop/web-1@6 |version 7"},
		{"a list may have no version", `{"items":[]}`, "version "},
		{"the kind of a list may be List alone",
			`{"kind":"List","items":[],"metadata":{"resourceVersion":"7"}}`, "version 7"},
	} {
		for name, arrive := range arrivals {
			d := listDecoder[widget, *widget]{wanted: wanted{kind: "Widget"}, limit: reflector.ObjectLimit}
			l, err := d.read(arrive(strings.NewReader(c.in + "\n")))
			if assert.NoError(t, err, "%s (%s)", c.says, name) {
				assert.Equal(t, c.want, strings.Join(showList(l), "|"), "%s (%s)", c.says, name)
			}
		}
	}
}

// read decodes a document from r without a caller that could cancel it.
func (d *listDecoder[T, P]) read(r io.Reader) (*reflector.List, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	return d.decode(ctx, cancel, r)
}

func TestNoList(t *testing.T) {
	const says = "a document that is not a list is an error that says what was wrong with which value"
	for _, c := range []struct{ in, want string }{
		{"", "reading list: unexpected EOF"},
		{`{"items":[`, "reading list: "},
		{`{"items":[` + item("web-1@6"), "reading list: "},
		{`{"items":[` + item("web-1@6") + `]`, "reading list: "},
		{"<html><body>Welcome",
			`want a JSON object, have something that begins "<`},
		{"[]", `want a JSON object, have something that begins "[`},
		{"null", `want a JSON object, have something that begins "n`},
		{"{}", `a document of kind "" has no items`},
		{`{"kind":"WidgetList"}`, `a document of kind "WidgetList" has no items: is the URL that`},
		{item("web-1@6"), `a document of kind "Widget" has no items`},
		{`{"items":null}`, `items: want an array, have something that begins "n`},
		{`{"items":{}}`, `items: want an array, have something that begins "{`},
		{`{"items":"many"}`, `items: want an array, have something that begins "\"`},
		{`{"items":[],"items":[` + item("web-1@6") + `]}`, "items: the document has them twice"},
		{`{"items":[null]}`, `item 1: it has no metadata.name (namespace "", resourceVersion "")`},
		{`{"items":[` + item("web-1@6") + `,{"metadata":{"namespace":"shop","resourceVersion":"5"}}]}`,
			`item 2: it has no metadata.name (namespace "shop", resourceVersion "5")`},
		{`{"items":[{"spec":{"size":"XL"}}]}`, "item 1: json: cannot unmarshal string"},
		{`{"items":[7]}`, "item 1: json: cannot unmarshal number"},
		{`{"items":[],"metadata":7}`, "metadata: json: cannot unmarshal number"},
		{`{"items":[]} {}`, "there is more data after the list"},
		{`{"items":[]}}`, "there is more data after the list"},
		{`{"items":[] "kind"}`, `want one of ",}", have something that begins "\"`},
		{`{"items":[,]}`, "item 1: invalid character ','"},
		{`{"items":[` + item("web-1@6") + `,]}`, "item 2: invalid character ']'"},
		{`{"items":[` + item("web-1@6") + `}}`, `want one of ",]", have something that begins "}`},
		{`{"items":[],}`, "key: invalid character '}'"},
		{`{items:[]}`, "key: invalid character 'i'"},
		{`{7:[]}`, "key: json: cannot unmarshal number"},
		{`{"items" []}`, `want one of ":", have something that begins "[`},
		{`{"new":tru}`, `field "new": `},
		{`{"new":{]}`, `field "new": invalid character ']'`},
		{statusBody(403, "Forbidden", "no"), "it is a Status: server says 403 Forbidden: no"},
		{`{"kind":"Table","columnDefinitions":[],"rows":[]}`, "it is a Table"},
		{`{"rows":[{"cells":["web-1"]}],"kind":"Table"}`, "it is a Table"},
		{`{"kind":"Table","items":[]}`, "it is a Table"},
		{`{"items":[],"kind":"GadgetList"}`, `it is a "GadgetList", want a "WidgetList"`},
		{`{"items":[],"apiVersion":"v9"}`,
			`its apiVersion is "v9", want "workshop.example.dev/v1"`},
	} {
		for name, arrive := range arrivals {
			d := listDecoder[widget, *widget]{
				wanted: wanted{"Widget", "workshop.example.dev/v1"}, limit: reflector.ObjectLimit,
			}
			_, err := d.read(arrive(strings.NewReader(c.in)))
			if assert.ErrorContains(t, err, c.want, "%s: %s (%s)", says, c.in, name) {
				_, garbage := errors.AsType[*reflector.DecodeError](err)
				assert.Equal(t, !strings.HasPrefix(c.want, "reading"), garbage,
					"%s: only a document that is cut off is an error of the connection (%s)", c.in, name)
			}
		}
	}
}

func TestStatusForAList(t *testing.T) {
	_, err := DecodeList[widget](strings.NewReader(statusBody(410, "Expired", "too old")))
	assert.True(t, reflector.IsExpired(err), "a Status with HTTP status 200 is a refusal too")
	_, err = DecodeList[widget](strings.NewReader(`{"kind":"Status","reason":"Timeout","details":` +
		`{"retryAfterSeconds":2,"causes":[{"reason":"ResourceVersionTooLarge"}]}}`))
	assert.True(t, reflector.IsTooLargeResourceVersion(err), "the causes in the Status are read")
	refused, ok := errors.AsType[*reflector.StatusError](err)
	require.True(t, ok)
	assert.Equal(t, 2*time.Second, refused.RetryAfter)
}

func TestBrokenList(t *testing.T) {
	broken := errors.New("connection reset")
	in := io.MultiReader(strings.NewReader(`{"items":[`+item("web-1@6")), iotest.ErrReader(broken))
	_, err := DecodeList[widget](in)
	assert.ErrorIs(t, err, broken, "the error wraps that of the connection")
}

func TestListLimit(t *testing.T) {
	for _, c := range []struct{ says, head, pattern string }{
		{"an endless item is given up at the limit", `{"items":[{"a":"`, "x"},
		{"an endless value of an unknown field is given up at the limit", `{"a":"`, "x"},
		{"endless whitespace in the document is given up at the limit", `{`, " "},
		{"endless whitespace before the document is given up at the limit", " ", " "},
		{"endless whitespace after the document is given up at the limit", `{"items":[]}`, "\n"},
		{"endless whitespace between items is given up at the limit", `{"items":[`, " "},
		{"an endless key is given up at the limit", `{"`, "x"},
	} {
		in := &endless{head: c.head, pattern: c.pattern}
		d := listDecoder[widget, *widget]{limit: 1 << 16}
		_, err := d.read(in)
		large, ok := errors.AsType[*reflector.TooLargeError](err)
		if assert.True(t, ok, "%s: %v", c.says, err) {
			assert.Equal(t, 1<<16, large.Limit, c.says)
		}
		assert.LessOrEqual(t, in.taken, 1<<16+readBuffer+20, c.says)
	}
}

func TestCancelledListIsNotABadList(t *testing.T) {
	for _, sent := range []string{`{`, `{"items":[`, `{"items":[` + item("web-1@5") + `,`, list("7")} {
		synctest.Test(t, func(t *testing.T) {
			s := newServer(t)
			s.replies <- silence(streamHead + chunk(sent))
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			_, err := s.client(t).List(ctx, reflector.ListOptions{})
			assert.ErrorIs(t, err, context.Canceled)
			_, garbage := errors.AsType[*reflector.DecodeError](err)
			assert.False(t, garbage, "a list that its caller has ended is no bad document: %v", err)
		})
	}
}

// A slow object takes a minute to decode.
type slow struct{ watchglass.ObjectMeta }

func (s *slow) UnmarshalJSON([]byte) error {
	time.Sleep(time.Minute)
	s.Name = "web-1"
	return nil
}

func TestAListThatEndsWhileItDecodesIsNotABadList(t *testing.T) {
	for timeout, want := range map[time.Duration]string{
		time.Second: "reading list: context deadline exceeded",
		time.Hour:   "reading list: context canceled",
	} {
		for _, items := range []string{"{}", "{},{}", "{},{},{}"} {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), timeout)
				time.AfterFunc(2*time.Second, cancel)
				d := listDecoder[slow, *slow]{limit: reflector.ObjectLimit}
				_, err := d.decode(ctx, cancel, strings.NewReader(`{"items":[`+items+`]}`))
				assert.EqualError(t, err, want, "a list that its caller has ended is no bad document")
			})
		}
	}
}

// FuzzList decodes any document. Nothing may panic, all items must have names, and the way in which
// the bytes arrive must not matter.
func FuzzList(f *testing.F) {
	for _, seed := range []string{
		list("7", "web-1@5"), page("7", "t", "web-1@5"), statusBody(410, "Expired", "old"), "{",
		"[]",
		`{"items":[null]}`, `{"items":null}`, `{"ITEMS":[{}]}`, `{"items":[],"items":[]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		whole, wholeErr := DecodeList[widget](strings.NewReader(string(data)))
		slow := iotest.OneByteReader(strings.NewReader(string(data)))
		bytewise, bytewiseErr := DecodeList[widget](slow)
		require.Equal(t, wholeErr == nil, bytewiseErr == nil, "%v, %v", wholeErr, bytewiseErr)
		if wholeErr != nil {
			return
		}
		require.Equal(t, showList(whole), showList(bytewise))
		require.True(t, json.Valid(data), "only JSON is a list")
		for _, obj := range whole.Items {
			require.NotEmpty(t, obj.GetName())
		}
	})
}

// A reflector refuses pages of two kinds, so it needs the kind of each page.
func TestAListHasTheKindOfItsDocument(t *testing.T) {
	l, err := DecodeList[widget](strings.NewReader(list("7", "web-1@5")))
	require.NoError(t, err)
	assert.Equal(t, "WidgetList", l.Kind)
}
