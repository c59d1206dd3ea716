package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"
	"weak"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAListDocument(t *testing.T) {
	web := item("web-1@6")
	for law, c := range map[string]struct{ in, want string }{
		"may be empty":              {list("4"), `WidgetList 4  []`},
		"keeps the order of items":  {list("7", "web-2@6", "db-1@5"), `WidgetList 7  ["web-2@6 " "db-1@5 "]`},
		"may have its fields mixed": {`{"metadata":{"resourceVersion":"7"},"items":[` + web + `],"kind":"WidgetList"}`, `WidgetList 7  ["web-1@6 "]`},
		"may have a token":          {`{"items":[],"metadata":{"continue":"t"}}`, `  t []`},
		"may have unknown fields":   {`{"new":{"items":[1]},"items" : [ ` + web + ` ] ,"a\"items":[2]}`, `   ["web-1@6 "]`},
		"may have null for items":   {`{"kind":"WidgetList","items":null}`, `WidgetList   []`},
		"may have any kind, as a CRD says which": {
			`{"items":[` + web + `],"kind":"WidgetsList"}`, `WidgetsList   ["web-1@6 "]`},
		"may be a List alone": {`{"kind":"List","items":[{"metadata":{"name":"a"}}]}`, `List   ["a@ "]`},

		"without items is none": {`{"kind":"WidgetList"}`,
			`a document of kind "WidgetList" has no items: is the URL that of a collection?`},
		"may not be a single object": {web, `a document of kind "Widget" has no items`},
		"may not be a Status":        {statusBody(403, "Forbidden", "no"), "it is a Status: server says 403 Forbidden: no"},
		"may not be a Table":         {`{"kind":"Table","columnDefinitions":[],"rows":[]}`, "it is a Table"},
		"may not be a Table of items": {
			`{"kind":"Table","items":[]}`, "it is a Table"},
		"may not be of another apiVersion": {
			`{"items":[],"apiVersion":"v9"}`, `its apiVersion is "v9", want "workshop.example.dev/v1"`},

		"must be JSON":               {"<html><body>", `want a JSON object, have something that begins "<`},
		"must be an object":          {"[]", `want a JSON object, have something that begins "[`},
		"must have items once":       {`{"items":[],"items":[` + web + `]}`, "items: the document has them twice"},
		"must have an array":         {`{"items":{}}`, `items: want an array, have something that begins "{}"`},
		"must have a good array":     {`{"items":"many"}`, `items: want an array, have something that begins "\"many\""`},
		"must have named items":      {`{"items":[` + web + `,{"metadata":{"namespace":"shop","resourceVersion":"5"}}]}`, `item 2: it has no metadata.name (namespace "shop", resourceVersion "5")`},
		"must have items that exist": {`{"items":[null]}`, "item 1: it has no metadata.name"},
		"must have items that fit":   {`{"items":[{"spec":{"size":"XL"}}]}`, "item 1: json: cannot unmarshal string"},
		"must have metadata":         {`{"items":[],"metadata":7}`, "json: cannot unmarshal number into Go struct field head.metadata"},
		"must have items apart":      {`{"items":[` + web + web + `]}`, `want one of ",]", have something that begins "{`},
		"must have fields apart":     {`{"items":[] "kind"}`, "invalid character '\"' after object key:value pair"},
		"must end its array":         {`{"items":[` + web + `}}`, `want one of ",]", have something that begins "}`},
		"must have no empty item":    {`{"items":[,]}`, "item 1: invalid character ','"},
		"must have no comma at last": {`{"items":[` + web + `,]}`, "item 2: invalid character ']'"},
		"must have no other comma":   {`{"items":[],}`, "invalid character '}'"},
		"must have keys in quotes":   {`{items:[]}`, "invalid character 'i'"},
		"must have colons":           {`{"items" []}`, "invalid character '['"},
		"must have good values":      {`{"new":tru}`, "invalid character '}'"},
		"must have brackets in pair": {`{"new":{]}`, "invalid character ']'"},
		"must be all there is":       {`{"items":[]} {}`, "there is more data after the list"},
		"must be closed once":        {`{"items":[]}}`, "there is more data after the list"},
		"must name its error short":  {`{"items":[{"spec":{"size":` + strings.Repeat("1", 6000) + `}}]}`, "item 1: json: cannot unmarshal number 111"},

		"that is empty is a broken connection":      {"", "reading list: unexpected EOF"},
		"that is cut off is a broken connection":    {`{"kind":"Wi`, "reading list: unexpected EOF"},
		"cut off in its items is one":               {`{"items":[`, "reading list: unexpected EOF"},
		"cut off in an item is one":                 {`{"items":[{"a"`, "reading list: unexpected EOF"},
		"cut off after an item is one":              {`{"items":[` + web, "reading list: unexpected EOF"},
		"cut off after its items is a broken one":   {`{"items":[` + web + `]`, "reading list: unexpected EOF"},
		"cut off before its items is a broken one":  {`{"items":`, "reading list: unexpected EOF"},
		"cut off before a value is a broken one":    {`{"kind":`, "reading list: unexpected EOF"},
		"cut off between fields is a broken one":    {`{"kind":"WidgetList",`, "reading list: unexpected EOF"},
		"cut off within its items is a broken one ": {`{"items":[` + web + `,`, "reading list: unexpected EOF"},
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
				require.Contains(t, got, strings.TrimRight(c.want, "{}"), name)
				assert.Less(t, len(got), 300)
				assert.Equal(t, !strings.HasPrefix(got, "reading"), is[*reflector.DecodeError](err),
					"only a list that is cut off is an error of the connection (%s)", name)
			}
		})
	}
}

// FuzzList compares the decoder with encoding/json, which decodes the document in one go. Nothing
// may panic, all items must have names, and the way in which the bytes arrive must not matter.
func FuzzList(f *testing.F) {
	for _, seed := range []string{
		list("7", "web-1@5"), list("7"), statusBody(410, "Expired", "old"), "{", "[]", "{}",
		`{"items":[null]}`, `{"items":null}`, `{"ITEMS":[{}]}`, `{"items":[],"items":[]}`,
		`{"a":"\"items\":","items":[{"metadata":{"name":"a"}}],"b":{"items":[1]}}`, `{"items":[{}},{}]}`,
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

func TestTheLimitOfAList(t *testing.T) {
	for law, head := range map[string]struct{ head, pattern string }{
		"ends an item without end":          {`{"items":[{"a":"`, "x"},
		"ends a value without end":          {`{"a":"`, "x"},
		"ends a key without end":            {`{"`, "x"},
		"ends fields without end":           {`{"a":1`, `,"b":[]`},
		"ends whitespace in the document":   {`{`, " "},
		"ends whitespace before it":         {" ", " "},
		"ends whitespace after it":          {`{"items":[]}`, "\n"},
		"ends whitespace between its items": {`{"items":[`, " "},
	} {
		t.Run(law, func(t *testing.T) {
			in := &endless{head: head.head, pattern: head.pattern}
			_, err := readList[widget](in, 1<<16, wanted{})
			assert.True(t, is[*reflector.TooLargeError](err), err)
			assert.ErrorContains(t, err, "larger than the limit of 65536 bytes")
			assert.LessOrEqual(t, in.taken, 2<<16+readBuffer)
		})
	}
	t.Run("is for one item, not for all of them", func(t *testing.T) {
		one := `{"metadata":{"name":"web-1"},"spec":{"color":"` + strings.Repeat("x", 1<<12) + `"}}`
		l, err := readList[widget](strings.NewReader(`{"items":[`+strings.Repeat(one+",", 20)+one+`]}`),
			1<<14, wanted{})
		require.NoError(t, err)
		assert.Len(t, l.Items, 21)
	})
}

func TestTheKindsOfDynamicItems(t *testing.T) {
	for law, c := range map[string]struct{ list, item, want string }{
		"come from the list, if an item gives none": {`"PodList","apiVersion":"v1"`, ``, "Pod v1"},
		"are those that the items give":             {`"PodList"`, `"kind":"Pod","apiVersion":"v2",`, "v2"},
		"do not come from a List alone":             {`"List","apiVersion":"v1"`, ``, " "},
		"do not come from a list of another name":   {`"Pods","apiVersion":"v1"`, ``, " "},
		"must be those that were asked for": {`"PodList"`, `"kind":"Secret",`,
			`item 1: its kind is "Secret", want "Pod"`},
		"must be those, as far as they are given": {`"PodList"`, `"apiVersion":"v2",`,
			`item 1: its apiVersion is "v2", want "v1"`},
		"must be those, if only the list gives them": {`"SecretList"`, ``,
			`it is a "SecretList", want a "PodList"`},
		"need not be those that the name of the list suggests": {`"PeasList"`,
			`"kind":"Pod","apiVersion":"v1",`, "Pod v1"},
	} {
		t.Run(law, func(t *testing.T) {
			want := wanted{"Pod", "v1"}
			if c.want == "v2" {
				want = wanted{}
			}
			l, err := readList[watchglass.Unstructured](strings.NewReader(`{"kind":`+c.list+
				`,"items":[{`+c.item+`"metadata":{"name":"a"}}]}`), 1<<16, want)
			if err != nil {
				assert.ErrorContains(t, err, c.want)
				return
			}
			u := l.Items[0].(*watchglass.Unstructured)
			assert.Contains(t, u.GetKind()+" "+u.GetAPIVersion(), c.want)
			assert.Equal(t, c.want == " ", len(u.Object) == 1)
		})
	}
}

func TestManyItemsKeepTheirOrder(t *testing.T) {
	var items, want []string
	for i := range 2000 {
		name := fmt.Sprintf("web-%d", i)
		want = append(want, name)
		items = append(items, fmt.Sprintf(`{"metadata":{"name":%q},"spec":{"color":"%*s"}}`, name,
			i*37%5000, ""))
	}
	l, err := readList[widget](strings.NewReader(`{"items":[`+strings.Join(items, " ,\n")+`]}`), 1<<16,
		wanted{})
	require.NoError(t, err)
	var got []string
	for _, item := range l.Items {
		got = append(got, item.GetName())
	}
	assert.Equal(t, want, got)
}

func TestAnItemThatIsKeptDoesNotKeepAnotherOneFromBeingFreed(t *testing.T) {
	l, err := readList[widget](strings.NewReader(list("7", "web-1@5", "web-2@6")), 1<<16, wanted{})
	require.NoError(t, err)
	kept, dropped := l.Items[0], weak.Make(l.Items[1].(*widget))
	l = nil
	runtime.GC()
	assert.Nil(t, dropped.Value())
	assert.Equal(t, "web-1", kept.GetName())
}

// A slow object takes a minute to decode.
type slow struct{ watchglass.ObjectMeta }

func (s *slow) UnmarshalJSON([]byte) error {
	time.Sleep(time.Minute)
	s.Name = "web-1"
	return nil
}

func TestAListThatItsCallerEndsIsNoBadDocument(t *testing.T) {
	for _, sent := range []string{`{`, `{"items":[`, `{"items":[{}`, `{"items":[{},`, `{"items":[{},{}`,
		`{"items":[{},{},{}]}`} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			in := io.MultiReader(strings.NewReader(sent), silent{ctx})
			_, err := decodeList[slow](ctx, cancel, in, 1<<20, wanted{})
			assert.EqualError(t, err, "reading list: context canceled", sent)
		})
	}
}

func TestTheErrorOfAnItemDoesNotWaitForMoreBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		in := io.MultiReader(strings.NewReader(`{"items":[`+item("web-1@5")+`,{"spec":{}},`), silent{ctx})
		began := time.Now()
		_, err := decodeList[widget](ctx, cancel, in, 1<<20, wanted{})
		assert.ErrorContains(t, err, "item 2: it has no metadata.name")
		assert.Zero(t, time.Since(began))
	})
}

func TestAListThatBreaksHasTheErrorOfTheConnection(t *testing.T) {
	reset := errors.New("connection reset")
	for _, sent := range []string{``, `{"items":[` + item("web-1@6"), list("7")} {
		_, err := readList[widget](broken(sent, reset), 1<<20, wanted{})
		assert.ErrorIs(t, err, reset)
	}
}
