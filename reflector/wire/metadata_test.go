package wire

import (
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
			_, err := server.Create("widgets", `{"metadata":{"name":"web-1","labels":{"a":"b"}},"spec":{"a":1}}`)
			require.NoError(t, err)
			var asked []string
			change := func(header http.Header) {
				asked = append(asked, header.Get("Accept"))
				c.change(header)
			}
			options := ClientOptions{URL: fakeapi.URL + "/apis/" + apiVersion + "/widgets", MetadataOnly: true,
				HTTPClient: &http.Client{Transport: carrying{server.Client().Transport, change}}}
			client, err := NewClient[watchglass.Unstructured](options)
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
			list, err := client.List(t.Context(), reflector.ListOptions{})
			require.NoError(t, err)
			require.Len(t, list.Items, 1)
			check(list.Items[0])

			watch, err := client.Watch(t.Context(), reflector.ListOptions{SendInitialEvents: true,
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
			_, err = server.Patch("widgets", "default", "web-1", `{"metadata":{"annotations":{"c":"d"}}}`)
			require.NoError(t, err)
			e = next()
			assert.Equal(t, reflector.Modified, e.Type)
			check(e.Object)
			require.NoError(t, server.Delete("widgets", "default", "web-1"))
			e = next()
			assert.Equal(t, reflector.Deleted, e.Type)
			check(e.Object)
			_, err = server.Create("pods", `{"metadata":{"name":"web-1"}}`)
			require.NoError(t, err)
			e = next() // a minute later
			assert.Equal(t, reflector.Bookmark, e.Type)
			assert.Equal(t, server.ResourceVersion(), e.ResourceVersion)

			assert.Equal(t, []string{
				"application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json",
				"application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json",
			}, asked, "what client-go's metadata client asks for, without protobuf")

			options.Kind = "Widget"
			_, err = NewClient[watchglass.Unstructured](options)
			assert.ErrorContains(t, err, `MetadataOnly with kind "Widget"`)
		})
	}
}
