package informer

import (
	"iter"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/indexer"
)

// shelf returns an informer that is not run and whose cache holds these objects.
func shelf[T watchglass.Object](
	t testing.TB, indexers indexer.Indexers, objs ...T,
) Informer[T] {
	s := NewSharedIndexInformer(Options{
		ListerWatcher: still{}, Indexers: indexers,
	})
	for _, obj := range objs {
		require.NoError(t, s.GetIndexer().Add(obj))
	}
	return Typed[T](s)
}

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
	objs := []*widget{
		on("shop", "a", web), on("shop", "b", db), on("bank", "a", web), on("", "c", nil),
	}
	all := []string{"bank/a", "c", "shop/a", "shop/b"}
	isWeb := SelectorFromMap(web)
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
			{"labels", lister.Select(isWeb), []string{"bank/a", "shop/a"}},
			{"labels in a namespace", lister.Namespace("shop").Select(isWeb), []string{"shop/a"}},
			{"the empty selector", lister.Select(Selector{}), all},
		} {
			t.Run(c.law+" "+name, func(t *testing.T) {
				assert.Equal(t, c.want, keysOf(c.lister.List()), "List")
				assert.Equal(t, c.want, keysOf(slices.Collect(c.lister.All())), "All")
				byKey, keyed := c.lister.(Lister[*widget])
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
	objs := []*widget{on("shop", "a", nil), on("bank", "b", nil), on("", "c", nil)}
	lister := shelf(t, nil, objs...).Lister()
	for _, obj := range objs {
		for _, namespace := range []string{"shop", "bank", ""} {
			got, ok := lister.Namespace(namespace).Get(obj.Name)
			assert.Equal(t, namespace == obj.Namespace, ok, "%s in %q", obj.Name, namespace)
			assert.Equal(t, ok, got == obj)
		}
	}
	_, ok := lister.Namespace("shop").Select(label("app")).Get("a")
	assert.False(t, ok, "its labels do not match")
}

func TestListerLaws(t *testing.T) {
	t.Run("two selectors must both be met, and two listers made of one do not share them",
		func(t *testing.T) {
			lister := shelf(t, nil, on("", "both", map[string]string{"a": "1", "b": "1"}),
				on("", "a", map[string]string{"a": "1"}), on("", "b", map[string]string{"b": "1"})).Lister()
			a, b := label("a"), label("b")
			absent, err := ParseSelector("!c")
			require.NoError(t, err)
			for range 16 { // so that the slice has room for one more at some time
				lister = lister.Select(absent)
				withA, withB := lister.Select(a), lister.Select(b)
				assert.Equal(t, []string{"a", "both"}, keysOf(withA.List()))
				assert.Equal(t, []string{"b", "both"}, keysOf(withB.List()))
				assert.Equal(t, []string{"both"}, keysOf(withA.Select(b).List()))
			}
		})
	t.Run("of the objects in a namespace, only those are looked at that the index finds",
		func(t *testing.T) {
			none := func(watchglass.Object) ([]string, error) { return nil, nil }
			s := shelf(t, indexer.Indexers{indexer.NamespaceIndex: none}, on("shop", "a", nil))
			assert.Nil(t, s.Lister().Namespace("shop").List())
		})
	t.Run("an object that cannot have labels meets what an absent label meets", func(t *testing.T) {
		lister := shelf[watchglass.Object](t, nil, &bare{"a"}).Lister()
		assert.Len(t, lister.Select(Selector{}).List(), 1)
		assert.Empty(t, lister.Select(label("a")).List())
	})
	t.Run("labels, which may be a copy, are not asked for without a condition", func(t *testing.T) {
		asked := 0
		lister := shelf[costly](t, nil, costly{&bare{"a"}, &asked}).Lister().Select(Selector{})
		assert.Len(t, lister.List(), 1)
		assert.Zero(t, asked)
	})
}

// costly is an object whose labels are not at hand.
type costly struct {
	*bare
	asked *int
}

func (c costly) GetLabels() map[string]string {
	*c.asked++
	return nil
}

// label returns the selector of the objects that have a label with the value 1.
func label(name string) Selector {
	return SelectorFromMap(map[string]string{name: "1"})
}

// bare is an object with no more than it must have.
type bare struct{ name string }

func (b *bare) GetNamespace() string       { return "" }
func (b *bare) GetName() string            { return b.name }
func (b *bare) GetResourceVersion() string { return "" }

func TestTypedIndex(t *testing.T) {
	byName := func(w *widget) []string { return []string{w.Name} }
	t.Run("an index follows the objects, whenever it was added", func(t *testing.T) {
		s := shelf(t, nil, on("shop", "a", nil))
		x, err := s.Index("name", byName)
		require.NoError(t, err)
		require.NoError(t, s.GetIndexer().Add(on("bank", "a", nil)))
		assert.Equal(t, []string{"bank/a", "shop/a"}, keysOf(x.Get("a")))
		assert.Nil(t, x.Get("b"))
	})
	t.Run("a name that is taken is refused; no func means the index that exists", func(t *testing.T) {
		s := shelf(t, byNamespace, on("shop", "a", nil))
		other, err := s.Index(indexer.NamespaceIndex, byName)
		assert.ErrorIs(t, err, indexer.ErrIndexExists)
		assert.Empty(t, other.Get("shop"), "the index of another caller may mean something else")
		byNamespace, err := s.Index(indexer.NamespaceIndex, nil)
		require.NoError(t, err)
		assert.Len(t, byNamespace.Get("shop"), 1)
		_, err = s.Index("name", nil)
		assert.ErrorIs(t, err, indexer.ErrNoIndex)
	})
}
