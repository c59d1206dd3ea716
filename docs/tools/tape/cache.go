package tape

import (
	"maps"
	"slices"
	"strings"

	"example.com/watchglass"
	"example.com/watchglass/indexer"
)

// CacheState is the content of the indexer.
type CacheState struct {
	Total   int           `json:"total"`
	Objects []ObjectState `json:"objects"` // those of the maxRows touched last that are there, by key
	Indices []IndexState  `json:"indices"`
	Synced  bool          `json:"synced"` // HasSynced of the informer

	// Changed are the labels that a reader has put on objects of the cache. None may do that.
	Changed map[string]string `json:"changed,omitempty"`
}

// IndexState is one index of the cache.
type IndexState struct {
	Name   string       `json:"name"`
	Values []IndexValue `json:"values"` // that objects have which are shown, by value
}

// IndexValue is one value with the keys of the objects that have it.
type IndexValue struct {
	Value string   `json:"value"`
	Keys  []string `json:"keys"` // of the objects that are shown, sorted
}

// cacheModel is the cache as the indexer's trace has reported it.
type cacheModel struct {
	objects map[string]watchglass.Object
	changed map[string]string // by readers, as CacheState has it
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
	return &CacheState{
		Total: len(c.objects), Objects: rows, Indices: []IndexState{index}, Synced: c.synced,
		Changed: maps.Clone(c.changed),
	}
}

// indexerTrace reports what changes in the cache.
func (c *collector) indexerTrace() *indexer.Trace {
	report := func(kind, sign, key string, obj watchglass.Object, change func(*cacheModel)) {
		e := event(Cache, kind, key, "cache %s %s", sign, at(obj)).in("%s %s", sign, at(obj)).
			moving(Process, Cache)
		if kind == "delete" {
			e = e.moving(Cache, Process) // its last state goes on as a deletion
		}
		c.report(e, func(m *model) { change(m.cache.change()) })
	}
	return &indexer.Trace{
		Added: func(key string, obj watchglass.Object) {
			report("add", "+", key, obj, func(m *cacheModel) { m.objects[key] = obj })
		},
		Updated: func(key string, _, obj watchglass.Object) {
			report("update", "~", key, obj, func(m *cacheModel) {
				m.objects[key] = obj
				delete(m.changed, key)
			})
		},
		Deleted: func(key string, obj watchglass.Object) {
			report("delete", "-", key, obj, func(m *cacheModel) {
				delete(m.objects, key)
				delete(m.changed, key)
			})
		},
		Replaced: func(now []watchglass.Object, version string) {
			slices.SortFunc(now, func(a, b watchglass.Object) int {
				return strings.Compare(keyOf(a), keyOf(b))
			})
			e := said(Cache, "replace", "cache = %s at version %s", Count(len(now), "object"), version)
			c.report(e.moving(Process, Cache), func(m *model) {
				m.cache.change().objects = map[string]watchglass.Object{}
				clear(m.cache.now.changed)
				for _, obj := range now {
					m.cache.now.objects[keyOf(obj)] = obj
					m.touch(keyOf(obj))
				}
			})
		},
	}
}

// cacheSynced reports that the first list is in the cache.
func (c *collector) cacheSynced() {
	c.pace(syncedPace)
	e := said(Cache, "synced", "the informer has synced").in("informer synced")
	c.report(e, func(m *model) { m.cache.change().synced = true })
}
