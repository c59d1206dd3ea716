package main

import (
	"slices"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/words"
	"example.com/watchglass/indexer"
)

// cacheModel is the cache as the indexer's trace has reported it. It computes the indices by the
// same IndexFuncs as the indexer.
type cacheModel struct {
	objects  recency[watchglass.Object]
	indexers indexer.Indexers
	indices  map[string]*recency[*recency[struct{}]] // name, value, keys
	synced   bool
}

func (c cacheModel) draw() *CacheState {
	state := &CacheState{Total: c.objects.len(), Objects: []ObjectState{}, Indices: []IndexState{},
		Synced: c.synced}
	for _, o := range c.objects.sorted(maxRows) {
		state.Objects = append(state.Objects, ObjectState{o.key, o.value.GetResourceVersion()})
	}
	for _, name := range sortedKeys(c.indices) {
		state.Indices = append(state.Indices, drawIndex(name, c.indices[name]))
	}
	return state
}

func drawIndex(name string, values *recency[*recency[struct{}]]) IndexState {
	ix := IndexState{Name: name, Values: []IndexValue{}}
	for _, v := range values.sorted(maxValues) {
		value := IndexValue{Value: v.key, Total: v.value.len(), Keys: []string{}}
		for _, k := range v.value.sorted(maxValues) {
			value.Keys = append(value.Keys, k.key)
		}
		ix.Values = append(ix.Values, value)
	}
	return ix
}

// set stores an object; nil removes it.
func (c *cacheModel) set(key string, obj watchglass.Object) {
	if old, ok := c.objects.get(key); ok {
		for name := range c.indices {
			c.unindex(name, key, old)
		}
	}
	if obj == nil {
		c.objects.remove(key)
		return
	}
	c.objects.set(key, obj)
	for name := range c.indices {
		c.index(name, key, obj)
	}
}

// addIndex adds an index of what is there.
func (c *cacheModel) addIndex(name string, f indexer.IndexFunc) {
	if c.indices == nil {
		c.indexers, c.indices = indexer.Indexers{}, map[string]*recency[*recency[struct{}]]{}
	}
	c.indexers[name], c.indices[name] = f, &recency[*recency[struct{}]]{}
	entries := c.objects.newest(c.objects.len())
	for _, o := range slices.Backward(entries) { // the oldest first, so that the newest stay newest
		c.index(name, o.key, o.value)
	}
}

func (c *cacheModel) index(name, key string, obj watchglass.Object) {
	values, _ := c.indexers[name](obj)
	for _, value := range values {
		keys, ok := c.indices[name].get(value)
		if !ok {
			keys = &recency[struct{}]{}
		}
		keys.set(key, struct{}{})
		c.indices[name].set(value, keys)
	}
}

func (c *cacheModel) unindex(name, key string, obj watchglass.Object) {
	values, _ := c.indexers[name](obj)
	for _, value := range values {
		keys, ok := c.indices[name].get(value)
		if !ok {
			continue
		}
		if keys.remove(key); keys.len() == 0 {
			c.indices[name].remove(value)
		}
	}
}

// replace makes these the whole content.
func (c *cacheModel) replace(objects []watchglass.Object) {
	for _, o := range c.objects.newest(c.objects.len()) {
		c.set(o.key, nil)
	}
	for _, obj := range objects {
		c.set(words.Key(obj), obj)
	}
}

// indexerTrace reports what changes in the cache. content reads the indexer, which its trace may
// do: the report of a replacement does not say what is stored now.
func (c *collector) indexerTrace(content func() []watchglass.Object) *indexer.Trace {
	stores := func(e words.Event, change func(*cacheModel)) {
		c.saw(e, func(m *model) { change(m.cache.change()) })
	}
	return &indexer.Trace{
		Added: func(key string, obj watchglass.Object) {
			stores(words.Added(key, obj), func(m *cacheModel) { m.set(key, obj) })
		},
		Updated: func(key string, _, obj watchglass.Object) {
			stores(words.Updated(key, obj), func(m *cacheModel) { m.set(key, obj) })
		},
		Deleted: func(key string, obj watchglass.Object) {
			stores(words.Deleted(key, obj), func(m *cacheModel) { m.set(key, nil) })
		},
		Replaced: func(objects int, version string) {
			now := content()
			stores(words.ReplacedCache(objects, version), func(m *cacheModel) { m.replace(now) })
		},
	}
}
