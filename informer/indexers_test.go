package informer_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer"
)

func TestIndexers(t *testing.T) {
	red := func(p *pair) []string {
		objs, err := p.informer.GetIndexer().ByIndex("color", "red")
		require.NoError(p.t, err)
		var names []string
		for _, obj := range objs {
			names = append(names, obj.GetName())
		}
		return names
	}
	inBubble(t, "an index given in Options serves from the first list on", func(t *testing.T) {
		p := newPair(t, informer.Options{Indexers: byColor()})
		p.create("web-1", "red")
		p.run()
		assert.Equal(t, []string{"web-1"}, red(p))
		p.update("web-1", "blue")
		assert.Empty(t, red(p))
	})
	inBubble(t, "an index added while running finds what is in the cache", func(t *testing.T) {
		p := newPair(t, informer.Options{})
		p.create("web-1", "red")
		p.run()
		require.NoError(t, p.informer.AddIndexers(byColor()))
		assert.Equal(t, []string{"web-1"}, red(p))
	})
	inBubble(t, "an object that an index refuses is reported; all are processed", func(t *testing.T) {
		var reported []error
		p := newPair(t, informer.Options{
			Indexers: indexer.Indexers{"color": func(obj watchglass.Object) ([]string, error) {
				if obj.GetName() == "web-2" {
					return nil, errors.New("no color for web-2")
				}
				return nil, nil
			}},
			OnProcessError: func(err error) { reported = append(reported, err) },
		})
		for _, name := range []string{"web-1", "web-2", "web-3"} {
			p.create(name, "red")
		}
		p.run()
		require.Len(t, reported, 1)
		assert.ErrorContains(t, reported[0], "no color for web-2")
		assert.ElementsMatch(t, []string{"default/web-1", "default/web-2", "default/web-3"},
			p.informer.GetIndexer().ListKeys())
		assert.True(t, p.informer.HasSynced(), "a refused object is processed all the same")
		assert.Equal(t, 1, p.informer.Stats().ProcessErrors)
	})
}

func byColor() indexer.Indexers {
	return indexer.Indexers{"color": func(obj watchglass.Object) ([]string, error) {
		return []string{obj.(*widget).Spec.Color}, nil
	}}
}
