package informer_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer"
	"example.com/watchglass/informer/selector"
	"example.com/watchglass/reflector"
)

// shelf returns an informer that is not run and whose cache holds these objects.
func shelf[T watchglass.Object](
	t testing.TB, indexers indexer.Indexers, objs ...T,
) informer.Informer[T] {
	s := informer.NewSharedIndexInformer(informer.Options{
		ListerWatcher: nowhere{}, Indexers: indexers,
	})
	for _, obj := range objs {
		require.NoError(t, s.GetIndexer().Add(obj))
	}
	return informer.Typed[T](s)
}

// nowhere is a ListerWatcher whose methods are never called.
type nowhere struct{ reflector.ListerWatcher }

func on(namespace, name string, labels map[string]string) *widget {
	return &widget{ObjectMeta: watchglass.ObjectMeta{
		Namespace: namespace, Name: name, Labels: labels,
	}}
}

func keysOf[T watchglass.Object](objs []T) []string {
	var keys []string
	for _, obj := range objs {
		key, _ := watchglass.MetaNamespaceKeyFunc(obj)
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

var byNamespace = indexer.Indexers{indexer.NamespaceIndex: indexer.MetaNamespaceIndexFunc}

func TestLister(t *testing.T) {
	web, db := map[string]string{"app": "web"}, map[string]string{"app": "db"}
	objs := []*widget{on("shop", "a", web), on("shop", "b", db), on("bank", "a", web), on("", "c", nil)}
	all := []string{"bank/a", "c", "shop/a", "shop/b"}
	isWeb := selector.FromMap(web)
	for name, indexers := range map[string]indexer.Indexers{
		"with the index by namespace": byNamespace, "without an index": nil,
	} {
		lister := shelf(t, indexers, objs...).Lister()
		for _, c := range []struct {
			law    string
			lister reader
			want   []string
		}{
			{"all objects", lister, all},
			{"a namespace", lister.Namespace("shop"), []string{"shop/a", "shop/b"}},
			{"no namespace means all", lister.Namespace(""), all},
			{"a namespace without objects", lister.Namespace("moon"), nil},
			{"labels", lister.Select(isWeb), []string{"bank/a", "shop/a"}},
			{"labels in a namespace", lister.Namespace("shop").Select(isWeb), []string{"shop/a"}},
			{"a namespace of those with the labels", lister.Select(isWeb).Namespace("shop"),
				[]string{"shop/a"}},
			{"the empty selector", lister.Select(selector.Selector{}), all},
			{"no selector", lister.Select(nil), all},
		} {
			t.Run(c.law+" "+name, func(t *testing.T) {
				assert.Equal(t, c.want, keysOf(c.lister.List()), "List")
				assert.Equal(t, c.want, keysOf(slices.Collect(c.lister.All())), "All")
				byKey, keyed := c.lister.(informer.Lister[*widget])
				for _, key := range all {
					if !keyed {
						break
					}
					obj, ok := byKey.Get(key)
					assert.Equal(t, slices.Contains(c.want, key), ok, "Get(%q)", key)
					assert.Equal(t, ok, obj != nil, "Get(%q)", key)
				}
			})
		}
	}
}

// reader is what listers have in common.
type reader interface {
	List() []*widget
	All() iter.Seq[*widget]
}

func TestNamespaceListerGet(t *testing.T) {
	web := selector.FromMap(map[string]string{"app": "web"})
	objs := []*widget{on("shop", "a", nil), on("bank", "b", nil), on("", "c", nil)}
	own := func(obj watchglass.Object) (string, error) { return "w:" + obj.GetName(), nil }
	for law, keyFunc := range map[string]watchglass.KeyFunc{
		"an object is found by its name, in its namespace only":                nil,
		"an object is found by its name, whatever the KeyFunc of the informer": own,
	} {
		t.Run(law, func(t *testing.T) {
			s := informer.Typed[*widget](informer.NewSharedIndexInformer(informer.Options{
				ListerWatcher: nowhere{}, KeyFunc: keyFunc,
			}))
			for _, obj := range objs {
				require.NoError(t, s.GetIndexer().Add(obj))
			}
			for _, obj := range objs {
				for _, namespace := range []string{"shop", "bank", ""} {
					got, ok := s.Lister().Namespace(namespace).Get(obj.Name)
					assert.Equal(t, namespace == obj.Namespace, ok, "%s in %q", obj.Name, namespace)
					assert.Equal(t, ok, got == obj)
				}
			}
			_, ok := s.Lister().Namespace("shop").Select(web).Get("a")
			assert.False(t, ok, "its labels do not match")
		})
	}
}

func TestListerLaws(t *testing.T) {
	t.Run("two selectors must both be met, and the lister they came from stays as it was",
		func(t *testing.T) {
			lister := shelf(t, nil, on("", "both", map[string]string{"a": "1", "b": "1"}),
				on("", "one", map[string]string{"a": "1"}),
				on("", "other", map[string]string{"b": "1"})).Lister()
			a, _ := selector.Parse("a")
			b, _ := selector.Parse("b")
			withA := lister.Select(a)
			assert.Equal(t, []string{"both"}, keysOf(withA.Select(b).List()))
			assert.Equal(t, []string{"both", "one"}, keysOf(withA.List()))
		})
	t.Run("two listers made of one do not share their conditions", func(t *testing.T) {
		many, err := selector.Parse( // a slice of 17 has room for one more
			strings.Repeat("!x,", 16) + "!x")
		require.NoError(t, err)
		a, _ := selector.Parse("a")
		b, _ := selector.Parse("b")
		base := shelf(t, nil, on("", "one", map[string]string{"a": "1"})).Lister().Select(many)
		withA := base.Select(a)
		assert.Empty(t, base.Select(b).List())
		assert.Len(t, withA.List(), 1)
	})
	t.Run("a range may be left and the cache changed within it", func(t *testing.T) {
		s := shelf(t, nil, on("", "a", nil), on("", "b", nil), on("", "c", nil))
		seen := 0
		for w := range s.Lister().All() {
			require.NoError(t, s.GetIndexer().Delete(w))
			if seen++; seen == 2 {
				break
			}
		}
		assert.Equal(t, 1, s.GetIndexer().Len())
	})
	t.Run("the slice of a list is not as large as the cache", func(t *testing.T) {
		objs := []*widget{on("", "one", map[string]string{"a": "1"})}
		for i := range 1000 {
			objs = append(objs, on("", fmt.Sprint("other-", i), nil))
		}
		a, _ := selector.Parse("a")
		assert.Less(t, cap(shelf(t, nil, objs...).Lister().Select(a).List()), 10)
	})
	t.Run("a lister that finds nothing returns nil", func(t *testing.T) {
		assert.Nil(t, shelf[*widget](t, byNamespace).Lister().Namespace("shop").List())
	})
	t.Run("the zero lister and the zero index find nothing", func(t *testing.T) {
		var l informer.Lister[*widget]
		_, ok := l.Namespace("shop").Get("a")
		assert.False(t, ok)
		assert.Empty(t, l.List())
		assert.Empty(t, slices.Collect(l.All()))
		var x informer.Index[*widget]
		assert.Empty(t, x.Get("a"))
	})
	t.Run("objects without labels are selected by what an absent label meets", func(t *testing.T) {
		s := shelf(t, nil, &bare{name: "a"})
		for text, want := range map[string]int{"": 1, "!app": 1, "app!=web": 1, "app": 0} {
			parsed, err := selector.Parse(text)
			require.NoError(t, err)
			assert.Len(t, s.Lister().Select(parsed).List(), want, "selector %q", text)
		}
	})
}

// bare is an object with no more than it must have.
type bare struct{ name string }

func (b *bare) GetNamespace() string       { return "" }
func (b *bare) GetName() string            { return b.name }
func (b *bare) GetResourceVersion() string { return "" }

// A namespace of three objects is read by looking at three, however many others there are.
func TestANamespaceIsReadByItsIndex(t *testing.T) {
	looks := 0
	s := shelf[*looked](t, byNamespace)
	for i := range 1000 {
		namespace := fmt.Sprint("ns-", i%300)
		obj := &looked{bare{fmt.Sprint("w-", i)}, namespace, &looks}
		require.NoError(t, s.GetIndexer().Add(obj))
	}
	looks = 0
	assert.Len(t, s.Lister().Namespace("ns-299").List(), 3)
	assert.Equal(t, 3, looks, "objects that were looked at")
}

// looked counts how often it is looked at.
type looked struct {
	bare
	namespace string
	looks     *int
}

func (l *looked) GetNamespace() string { *l.looks++; return l.namespace }

func TestTypedIndex(t *testing.T) {
	inBubble(t, "an index follows the objects, whenever it was added", func(t *testing.T) {
		r := newTypedRig(t, informer.Options{})
		colors := func(w *widget) []string { return []string{w.Spec.Color} }
		before, err := r.widgets.Index("before", colors)
		require.NoError(t, err)
		r.create("web-1", "red")
		r.create("web-2", "red")
		r.run()
		after, err := r.widgets.Index("after", colors)
		require.NoError(t, err)
		for _, x := range []informer.Index[*widget]{before, after} {
			assert.Equal(t, []string{"default/web-1", "default/web-2"}, keysOf(x.Get("red")))
			assert.Nil(t, x.Get("blue"))
		}
		r.update("web-1", "blue")
		r.delete("web-2")
		synctest.Wait()
		for _, x := range []informer.Index[*widget]{before, after} {
			assert.Nil(t, x.Get("red"))
			assert.Equal(t, []string{"default/web-1"}, keysOf(x.Get("blue")))
		}
	})
	t.Run("the same func under the same name is one index, another func is refused", func(t *testing.T) {
		s := shelf(t, byNamespace, on("shop", "a", nil), on("shop", "b", nil))
		byName := func(w *widget) []string { return []string{w.Name} }
		for range 2 { // for two controllers
			x, err := s.Index("name", byName)
			require.NoError(t, err)
			assert.Equal(t, []string{"shop/a"}, keysOf(x.Get("a")))
		}
		other, err := s.Index("name", func(w *widget) []string { return nil })
		assert.ErrorIs(t, err, indexer.ErrIndexExists)
		assert.Empty(t, other.Get("a"), "the index of another caller may mean something else")
		_, err = s.Index(indexer.NamespaceIndex, byName)
		assert.ErrorIs(t, err, indexer.ErrIndexExists)
	})
	t.Run("without a func, the index must exist", func(t *testing.T) {
		s := shelf(t, byNamespace, on("shop", "a", nil), on("shop", "b", nil))
		x, err := s.Index(indexer.NamespaceIndex, nil)
		require.NoError(t, err)
		assert.Equal(t, []string{"shop/a", "shop/b"}, keysOf(x.Get("shop")))
		_, err = s.Index("name", nil)
		assert.ErrorIs(t, err, indexer.ErrNoIndex)
	})
	t.Run("an object of another type is left out of a typed index, and that is an error",
		func(t *testing.T) {
			s := shelf[*widget](t, nil)
			_, err := s.Index("color", func(w *widget) []string { return []string{w.Spec.Color} })
			require.NoError(t, err)
			err = s.GetIndexer().Add(&bare{name: "a"})
			assert.ErrorContains(t, err, "a *informer_test.bare, want a *informer_test.widget")
		})
}
