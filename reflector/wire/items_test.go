package wire

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheLimitIsForOneItem(t *testing.T) {
	one := `{"metadata":{"name":"web-1"},"spec":{"color":"` + strings.Repeat("x", 1<<12) + `"}}`
	in := `{"items":[` + strings.Repeat(one+",", 20) + one + `]}`
	d := listDecoder[widget, *widget]{limit: 1 << 14}
	require.Greater(t, len(in), 4*d.limit)
	l, err := d.read(strings.NewReader(in))
	require.NoError(t, err, "the limit is for one item, not for all of them")
	assert.Len(t, l.Items, 21)
}

func TestItemsKeepTheirOrder(t *testing.T) {
	var items, want []string
	for i := range 2000 {
		name := fmt.Sprintf("web-%d", i)
		want = append(want, name)
		items = append(items, fmt.Sprintf(`{"metadata":{"name":%q},"spec":{"color":"%*s"}}`,
			name, i*37%5000, ""))
	}
	l, err := DecodeList[widget](strings.NewReader(`{"items":[` + strings.Join(items, " ,\n") + `]}`))
	require.NoError(t, err)
	var got []string
	for _, item := range l.Items {
		got = append(got, item.GetName())
	}
	assert.Equal(t, want, got, "items that several goroutines decode keep the order of the list")
}

func TestABadItemIsReportedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		s.replies <- silence(streamHead + chunk(`{"items":[`+item("web-1@5")+`,{"spec":{}},`))
		began := time.Now()
		_, err := s.client(t).List(t.Context(), reflector.ListOptions{})
		assert.ErrorContains(t, err, "item 2: it has no metadata.name")
		assert.Zero(t, time.Since(began), "a server that falls silent does not delay an item's error")
	})
}

func TestItemsAreSeparate(t *testing.T) {
	l, err := DecodeList[widget](strings.NewReader(list("7", "web-1@5", "web-2@6")))
	require.NoError(t, err)
	kept := l.Items[0]
	dropped := weak.Make(l.Items[1].(*widget))
	l = nil
	runtime.GC()
	assert.Nil(t, dropped.Value(), "an item that is kept does not keep another one from being freed")
	assert.Equal(t, "web-1", kept.GetName())
}

func TestDynamicItemsKnowTheirKind(t *testing.T) {
	in := `{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"web-1"}},` +
		`{"kind":"Other","apiVersion":"v2","metadata":{"name":"web-2"}}]}`
	l, err := DecodeList[watchglass.Unstructured](strings.NewReader(in))
	require.NoError(t, err)
	first, second := l.Items[0].(*watchglass.Unstructured), l.Items[1].(*watchglass.Unstructured)
	assert.Equal(t, "Pod", first.GetKind(), "an item without a kind gets it from the kind of its list")
	assert.Equal(t, "v1", first.GetAPIVersion())
	assert.Equal(t, "Other", second.GetKind(), "an item with a kind keeps it")
	for _, kind := range []string{"List", "Pods"} {
		l, err = DecodeList[watchglass.Unstructured](strings.NewReader(`{"kind":"` + kind +
			`","apiVersion":"v1","items":[{"metadata":{"name":"web-1"}}]}`))
		require.NoError(t, err)
		item := l.Items[0].(*watchglass.Unstructured)
		assert.Len(t, item.Object, 1, "a list of kind %q gives its items no kind", kind)
	}
}

func TestItemsMustBeOfTheKind(t *testing.T) {
	for _, c := range []struct{ item, want string }{
		{`"kind":"Pod","apiVersion":"v1",`, ""},
		{`"kind":"Pod",`, ""},
		{``, ""},
		{`"kind":"Secret","apiVersion":"v1",`,
			`item 1: object is a "Secret" of "v1", want a "Pod" of "v1"`},
		{`"apiVersion":"v2",`, `item 1: object is a (any) of "v2", want a "Pod" of "v1"`},
	} {
		for _, list := range []string{"PodList", "List"} {
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t)
				s.replies <- okJSON(`{"kind":"` + list + `","apiVersion":"v1","items":[{` + c.item +
					`"metadata":{"name":"web-1"}}]}`)
				opts := s.client(t).opts
				opts.Kind, opts.APIVersion = "Pod", "v1"
				client, err := NewClient[watchglass.Unstructured](opts)
				require.NoError(t, err)
				_, err = client.List(t.Context(), reflector.ListOptions{})
				if c.want == "" {
					assert.NoError(t, err, "an item that gives no other kind or apiVersion is accepted")
					return
				}
				assert.ErrorContains(t, err, c.want, "a list with an item of another kind is refused")
			})
		}
	}
}
