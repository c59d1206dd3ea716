package client

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAListDocument(t *testing.T) {
	web := item("web-1@6")
	const broken = "reading list: unexpected EOF"
	deep := strings.Repeat("[", 20000) + strings.Repeat("]", 20000)
	for law, c := range map[string]struct{ in, want string }{
		"may be empty": {list("4"), `WidgetList 4  []`},
		"may have any order of fields": {`{"metadata":{"continue":"t","resourceVersion":"7"},"items":[` +
			web + `],"kind":"WidgetList"}`, `WidgetList 7 t ["web-1@6 "]`},
		"may have unknown fields": {
			`{"new":{"items":[1]},"items" : [ ` + web + ` ] ,"a\"items":[2]}`, `   ["web-1@6 "]`},
		"may have items that do not fit": {`{"items":[` + web + `,` + misfitItem + `]}`,
			`   ["web-1@6 " "web-1@8 cannot be used"]`},
		"may have null for items": {`{"kind":"WidgetList","items":null}`, `WidgetList   []`},

		"needs items": {`{"kind":"WidgetList"}`,
			`a document of kind "WidgetList" has no items: is the URL that of a collection?`},
		"is no Status": {statusBody(403, "Forbidden", strings.Repeat("no", 200)),
			"it is a Status: server says 403 Forbidden: nono"},
		"is no Table":               {`{"kind":"Table","columnDefinitions":[],"rows":[]}`, "it is a Table"},
		"is not of another version": {`{"items":[],"apiVersion":"v9"}`, `its apiVersion is "v9", want "w`},
		"is not nested without limit in an item": {`{"items":[{"metadata":{"name":"a"},"x":` + deep + `}]}`,
			"exceeded max depth"},
		"has items once": {`{"items":[],"items":[` + web + `]}`, "items: the document has them twice"},
		"has an array":   {`{"items":{}}`, `items: want an array, have something that begins "{}"`},
		"has items with names": {`{"items":[` + web + `,{"metadata":{"namespace":"shop"}}]}`,
			`item 2: it has no metadata.name (namespace "shop", resourceVersion "")`},
		"has items that are objects":   {`{"items":[null]}`, "item 1: it has no metadata.name"},
		"has items that fit, or names": {`{"items":[{"spec":{"size":"XL"}}]}`, "item 1: json: cannot unmarshal string"},
		"has metadata":                 {`{"items":[],"metadata":7}`, "json: cannot unmarshal number into Go struct"},
		"has commas between items":     {`{"items":[` + web + web + `]}`, "invalid character '0' after array element"},
		"has no comma too many":        {`{"items":[` + web + `,]}`, "invalid character ']' looking"},
		"is all there is":              {`{"items":[]} {}`, "there is more data after the list"},

		"that is cut off in a field":    {`{"kind":"Wi`, broken},
		"that is cut off after an item": {`{"items":[` + web, broken},
	} {
		t.Run(law, func(t *testing.T) {
			for name, arrive := range arrivals {
				l, err := readList[widget](arrive(strings.NewReader(c.in+"\n")), 1<<16,
					wanted{"Widget", apiVersion})
				got := show(l, err)
				if err == nil {
					require.Equal(t, c.want, got, name)
					continue
				}
				require.Contains(t, got, strings.TrimRight(c.want, `{}"`), name)
				assert.Less(t, len(got), 600)
				assert.Equal(t, c.want != broken, is[*reflector.DecodeError](err), name)
				assert.Equal(t, law == "is no Status", is[*reflector.StatusError](err))
			}
		})
	}
}

func TestTheLimitOfAListIsForItsItemsAndForWhatIsAroundThem(t *testing.T) {
	many := strings.Repeat(`{"metadata":{"name":"a"}},`, 1000) + `{"metadata":{"name":"a"}}`
	wide := strings.Repeat(" ", 50)
	for in, want := range map[string]string{
		`{"items":[` + many + `]}`:                           "",
		`{"` + wide[:39] + `":0,"items":[]}`:                 "", // 64 bytes before the last brace
		`{"items":[{` + wide + `"metadata":{"name":"a"}}]}`:  "value is larger than the limit of 64 bytes",
		`{"a":[` + wide + `],"b":[` + wide + `],"items":[]}`: "document without its items is larger than the limit of 64",
	} {
		_, err := readList[widget](strings.NewReader(in), 64, wanted{})
		if want == "" {
			assert.NoError(t, err, "the number of items is not limited")
			continue
		}
		assert.ErrorContains(t, err, want)
	}
}

// FuzzList compares the decoder with encoding/json, which decodes the document in one go. Nothing
// may panic, all items must have names, and the way in which the bytes arrive must not matter.
func FuzzList(f *testing.F) {
	for _, seed := range []string{
		list("7", "web-1@5"), list("7"), statusBody(410, "Expired", "old"), "{", "[]", "{}",
		`{"items":[null]}`, `{"items":null}`, `{"ITEMS":[{}]}`, `{"items":[],"items":[]}`,
		`{"a":"\"items\":","items":[{"metadata":{"name":"a"}}],"b":{"items":[1]}}`, `{"items":[{}},{}]}`,
		`{"items":[] "kind"}`, `{"items":[,]}`, `{"items":[],}`, `{items:[]}`, `{"items" []}`,
		`{"new":{]}`, `{"items":[]}}`, `{"items":"many"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		whole, wholeErr := readList[widget](strings.NewReader(string(data)), 1<<20, wanted{})
		slow := iotest.OneByteReader(strings.NewReader(string(data)))
		bytewise, bytewiseErr := readList[widget](slow, 1<<20, wanted{})
		require.Equal(t, whole, bytewise)
		require.Equal(t, is[*reflector.DecodeError](wholeErr), is[*reflector.DecodeError](bytewiseErr))
		var model struct {
			Kind     string
			Metadata struct{ ResourceVersion, Continue string }
			Items    []widget
		}
		err := json.Unmarshal(data, &model)
		if wholeErr != nil {
			return
		}
		require.NoError(t, err, "only JSON is a list")
		assert.Equal(t, model.Kind, whole.Kind)
		assert.Equal(t, model.Metadata.ResourceVersion, whole.ResourceVersion)
		assert.Equal(t, model.Metadata.Continue, whole.Continue)
		require.Len(t, whole.Items, len(model.Items))
		for i := range model.Items {
			assert.Equal(t, &model.Items[i], whole.Items[i])
			assert.NotEmpty(t, whole.Items[i].GetName())
		}
	})
}

func TestTheKindsOfDynamicItems(t *testing.T) {
	for law, c := range map[string]struct{ list, item, want string }{
		"come from the list, if an item gives none": {`"PodList","apiVersion":"v1"`, ``, "Pod v1"},
		"are those that the items give":             {`"PodList"`, `"kind":"Pod","apiVersion":"v2",`, "v2"},
		"do not come from a List alone":             {`"List","apiVersion":"v1"`, ``, " "},
		"do not come from a list of another name":   {`"Pods","apiVersion":"v1"`, ``, " "},
		"must be those that were asked for": {`"PodList"`, `"kind":"Secret",`,
			`item 2: its kind is "Secret", want "Pod"`},
		"must be those, if only the list gives them": {`"SecretList"`, ``,
			`it is a "SecretList", want a "PodList"`},
	} {
		t.Run(law, func(t *testing.T) {
			want := wanted{"Pod", "v1"}
			if c.want == "v2" {
				want = wanted{}
			}
			l, err := readList[watchglass.Unstructured](strings.NewReader(`{"kind":`+c.list+
				`,"items":[{"kind":"Pod","metadata":{"name":"first"}},{`+c.item+`"metadata":{"name":"a"}}]}`),
				1<<16, want)
			if err != nil {
				require.NotEqual(t, " ", c.want, "%v", err)
				assert.ErrorContains(t, err, c.want)
				return
			}
			u := l.Items[1].(*watchglass.Unstructured)
			assert.Contains(t, u.GetKind()+" "+u.GetAPIVersion(), c.want)
			assert.Equal(t, c.want == " ", len(u.Object) == 1)
		})
	}
}

// A slow object takes a minute to decode, or a second if it is bad.
type slow struct{ watchglass.ObjectMeta }

var decoding atomic.Int32 // slow objects

func (s *slow) UnmarshalJSON(data []byte) error {
	decoding.Add(1)
	defer decoding.Add(-1)
	if strings.Contains(string(data), `"name":"a"`) {
		return errors.New("too little") // for NewClient, which then does not check the type
	}
	if strings.Contains(string(data), "bad") {
		time.Sleep(time.Second)
		return errors.New("bad")
	}
	time.Sleep(time.Minute)
	s.Name = "web-1"
	return nil
}

func TestAListThatFailsWaitsForItsDecoders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pad := strings.Repeat(" ", 2*decoderShare)
		in := `{"items":[{"bad":7` + pad + `},{` + pad + `},`
		_, err := readList[slow](strings.NewReader(in), 1<<20, wanted{})
		assert.ErrorContains(t, err, "item 1: bad")
		assert.Zero(t, decoding.Load())
	})
}

func TestTheErrorOfAnItemDoesNotWaitForMoreBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		in := io.MultiReader(strings.NewReader(`{"items":[`+item("web-1@5")+`,{"spec":{}},`), silent{ctx})
		began := time.Now()
		_, err := decodeList[widget](ctx, in, 1<<20, wanted{})
		assert.ErrorContains(t, err, "item 2: it has no metadata.name")
		assert.Zero(t, time.Since(began))
		cancel()
		_, err = decodeList[widget](ctx, strings.NewReader(list("7", "web-1@5")), 1<<20, wanted{})
		assert.ErrorIs(t, err, context.Canceled)
		assert.False(t, is[*reflector.DecodeError](err), "a list that its caller has ended may be fine")
	})
}
