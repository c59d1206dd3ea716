package tape

import (
	"maps"
	"slices"
	"strings"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/words"
	"example.com/watchglass/indexer"
)

// cacheModel is the cache as the indexer's trace has reported it.
type cacheModel struct {
	objects map[string]watchglass.Object
	synced  bool
}

func (c cacheModel) draw(recent []string) *CacheState {
	rows := objectRows(recent, func(key string) (string, bool) {
		obj, ok := c.objects[key]
		if !ok {
			return "", false
		}
		return obj.GetResourceVersion(), true
	})
	keys := map[string][]string{}
	for _, row := range rows {
		values, _ := byApp(c.objects[row.Key])
		for _, value := range values {
			keys[value] = append(keys[value], row.Key)
		}
	}
	index := IndexState{Name: "app", Values: []IndexValue{}}
	for _, value := range slices.Sorted(maps.Keys(keys)) {
		index.Values = append(index.Values, IndexValue{value, keys[value]})
	}
	return &CacheState{Total: len(c.objects), Objects: rows, Indices: []IndexState{index}, Synced: c.synced}
}

// indexerTrace reports what changes in the cache. content reads the indexer, which its trace may
// do: the report of a replacement does not say what is stored now.
func (c *collector) indexerTrace(content func() []watchglass.Object) *indexer.Trace {
	stores := func(e words.Event, change func(*cacheModel)) {
		c.saw(e, func(m *model) { change(m.cache.change()) })
	}
	return &indexer.Trace{
		Added: func(key string, obj watchglass.Object) {
			stores(words.Added(key, obj), func(m *cacheModel) { m.objects[key] = obj })
		},
		Updated: func(key string, _, obj watchglass.Object) {
			stores(words.Updated(key, obj), func(m *cacheModel) { m.objects[key] = obj })
		},
		Deleted: func(key string, obj watchglass.Object) {
			stores(words.Deleted(key, obj), func(m *cacheModel) { delete(m.objects, key) })
		},
		Replaced: func(objects int, version string) {
			now := content() // in any order
			slices.SortFunc(now, func(a, b watchglass.Object) int {
				return strings.Compare(words.Key(a), words.Key(b))
			})
			c.saw(words.ReplacedCache(objects, version), func(m *model) {
				m.cache.change().objects = map[string]watchglass.Object{}
				for _, obj := range now {
					m.cache.now.objects[words.Key(obj)] = obj
					m.touch(words.Key(obj))
				}
			})
		},
	}
}
