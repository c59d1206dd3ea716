package client

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/reflector"
)

// carrying is a transport that changes the header of each request.
type carrying struct {
	http.RoundTripper
	change func(http.Header)
}

func (c carrying) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	c.change(request.Header)
	return c.RoundTripper.RoundTrip(request)
}

func TestMetadataOnly(t *testing.T) {
	for law, c := range map[string]struct {
		want   string // the kind of each object, and its fields
		change func(http.Header)
	}{
		"a server sends nothing but the metadata": {
			"PartialObjectMetadata [apiVersion kind metadata]", func(http.Header) {}},
		"a server that cannot do it sends whole objects": {
			"Widget [apiVersion kind metadata spec]", func(header http.Header) {
				accepted := strings.Split(header.Get("Accept"), ",")
				header.Set("Accept", accepted[len(accepted)-1])
			}},
	} {
		bubble(t, law, func(t *testing.T) {
			server := fakeapi.New(fakeapi.Options{})
			defer server.Close()
			_, err := server.Create("widgets",
				`{"metadata":{"name":"web-1","labels":{"a":"b"}},"spec":{"a":1}}`)
			require.NoError(t, err)
			var asked []string
			change := func(header http.Header) {
				asked = append(asked, header.Get("Accept"))
				c.change(header)
			}
			options := Options{URL: fakeapi.URL + "/apis/" + apiVersion + "/widgets", MetadataOnly: true,
				HTTPClient: &http.Client{Transport: carrying{server.Client().Transport, change}}}
			widgets, err := New[watchglass.Unstructured](options)
			require.NoError(t, err)
			check := func(obj watchglass.Object) {
				u := obj.(*watchglass.Unstructured)
				fields := slices.Sorted(maps.Keys(u.Object))
				assert.Equal(t, c.want, fmt.Sprint(u.GetKind(), " ", fields))
				assert.Equal(t, map[string]string{"a": "b"}, u.GetLabels())
				text, err := json.Marshal(u)
				require.NoError(t, err)
				var m watchglass.PartialObjectMetadata
				require.NoError(t, json.Unmarshal(text, &m))
				assert.Equal(t, "web-1 b", m.Name+" "+m.Labels["a"])
			}
			list, err := widgets.List(t.Context(), reflector.ListOptions{})
			require.NoError(t, err)
			require.Len(t, list.Items, 1)
			check(list.Items[0])

			watch, err := widgets.Watch(t.Context(), reflector.ListOptions{SendInitialEvents: true,
				ResourceVersionMatch: "NotOlderThan", AllowWatchBookmarks: true})
			require.NoError(t, err)
			defer watch.Close()
			next := func() reflector.Event {
				e, err := watch.Next()
				require.NoError(t, err)
				return e
			}
			e := next()
			assert.Equal(t, reflector.Added, e.Type)
			check(e.Object)
			e = next()
			assert.True(t, e.InitialEventsEnd)
			assert.Equal(t, list.ResourceVersion, e.ResourceVersion)
			read, err := widgets.Get(t.Context(), "default", "web-1")
			require.NoError(t, err)
			check(read)
			read, err = widgets.Patch(t.Context(), "default", "web-1", map[string]any{
				"metadata": map[string]any{"annotations": map[string]any{"c": "d"}}})
			require.NoError(t, err)
			check(read)
			e = next()
			assert.Equal(t, reflector.Modified, e.Type)
			check(e.Object)
			for _, write := range []func(context.Context, *watchglass.Unstructured) (
				*watchglass.Unstructured, error){widgets.Create, widgets.Update, widgets.UpdateStatus} {
				_, err = write(t.Context(), read)
				assert.ErrorContains(t, err, "widgets.workshop.example.dev: the client reads MetadataOnly: "+
					"want one of whole objects", "it would delete what it has not read")
			}
			require.NoError(t, widgets.Delete(t.Context(), "default", "web-1", DeleteOptions{}))
			e = next()
			assert.Equal(t, reflector.Deleted, e.Type)
			check(e.Object)
			_, err = server.Create("pods", `{"metadata":{"name":"web-1"}}`)
			require.NoError(t, err)
			e = next() // a minute later
			assert.Equal(t, reflector.Bookmark, e.Type)
			assert.Equal(t, server.ResourceVersion(), e.ResourceVersion)

			const one = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"
			assert.Equal(t, []string{
				"application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json",
				one, one, one, one, // watch, get, patch, delete
			}, asked, "what client-go's metadata client asks for, without protobuf")

			options.Kind = "Widget"
			_, err = New[watchglass.Unstructured](options)
			assert.ErrorContains(t, err, `MetadataOnly with kind "Widget"`)
		})
	}
}
