package informer_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/indexer"
	"example.com/watchglass/informer"
	"example.com/watchglass/reflector/wire"
)

func TestFactoryOptions(t *testing.T) {
	inBubble(t, "all informers have the options, and Customize changes those of one collection",
		func(t *testing.T) {
			var mu sync.Mutex // the transforms of two informers run at the same time
			seen := map[string]int{}
			r := newFactoryRig(t, informer.FactoryOptions{
				Informer: informer.Options{
					ResyncPeriod: time.Hour,
					Name:         "shadowed",
					Transform: func(obj watchglass.Object) (watchglass.Object, error) {
						mu.Lock()
						defer mu.Unlock()
						seen[obj.GetName()]++
						return obj, nil
					},
				},
				Customize: func(path string, o *informer.Options) {
					if path == widgetsPath {
						o.ResyncPeriod = time.Minute
					}
				},
			})
			for _, resource := range []string{"widgets", "configmaps"} {
				_, err := r.server.Create(resource, newWidget(resource+"-1", "red"))
				require.NoError(t, err)
			}
			widgets := r.widgets(t)
			maps, err := r.Dynamic(informer.Resource{Version: "v1", Resource: "configmaps"})
			require.NoError(t, err)
			often := checked(t, widgets.SharedIndexInformer, informer.Handler[*widget]{},
				informer.HandlerOptions{})
			seldom := checked(t, maps.SharedIndexInformer,
				informer.Handler[*watchglass.Unstructured]{}, informer.HandlerOptions{})
			assert.Equal(t, time.Minute, often.ResyncPeriod())
			assert.Equal(t, time.Hour, seldom.ResyncPeriod())
			r.run()
			assert.Equal(t, map[string]int{"widgets-1": 1, "configmaps-1": 1}, seen,
				"the transform is every informer's")
			assert.Equal(t, widgetsPath, widgets.Name())
			assert.Contains(t, widgets.GetIndexer().GetIndexers(), indexer.NamespaceIndex)
		})
	t.Run("an informer that cannot be made is not remembered", func(t *testing.T) {
		bad := true
		f := informer.NewFactory(informer.FactoryOptions{
			Collection: func(path string) wire.ClientOptions {
				if bad {
					return wire.ClientOptions{URL: path}
				}
				return wire.ClientOptions{URL: "http://host" + path}
			},
		})
		_, err := informer.Of[widget](f, widgetsPath)
		assert.ErrorContains(t, err, "want http(s)://host/path")
		bad = false
		_, err = informer.Of[widget](f, widgetsPath)
		assert.NoError(t, err)
	})
	t.Run("a resource without version or name is refused", func(t *testing.T) {
		f := informer.NewFactory(informer.FactoryOptions{
			Collection: func(path string) wire.ClientOptions {
				return wire.ClientOptions{URL: "http://host" + path}
			},
		})
		for _, r := range []informer.Resource{{}, {Version: "v1"}, {Resource: "pods", Group: "apps"}} {
			_, err := f.Dynamic(r)
			assert.ErrorContains(t, err, "want version and resource", "%+v", r)
		}
	})
	t.Run("NewFactory without a Collection panics", func(t *testing.T) {
		assert.PanicsWithValue(t, "informer: FactoryOptions.Collection is nil",
			func() { informer.NewFactory(informer.FactoryOptions{}) })
	})
}

func TestResourcePath(t *testing.T) {
	for want, r := range map[string]informer.Resource{
		"/api/v1/pods":                     {Version: "v1", Resource: "pods"},
		"/api/v1/namespaces/shop/pods":     {Version: "v1", Resource: "pods", Namespace: "shop"},
		"/apis/apps/v1/deployments":        {Group: "apps", Version: "v1", Resource: "deployments"},
		"/apis/g/v1/namespaces/a%2Fb/c%3F": {Group: "g", Version: "v1", Resource: "c?", Namespace: "a/b"},
	} {
		assert.Equal(t, want, r.Path())
	}
}
