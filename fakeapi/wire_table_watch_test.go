package fakeapi

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const streamed = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"

func TestAWatchOfTablesHasItsColumnsOnce(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		create(t, s, "web-2", "blue")
		early, late := open(t, s, streamed, "Accept", acceptTable), open(t, s, "resourceVersion=3",
			"Accept", acceptTable)

		kind, doc := early.object(t)
		assert.Equal(t, "ADDED Name | Color | Age\nweb-1 | red | 0s", kind+" "+readTable(t, doc).print())
		kind, doc = early.object(t)
		assert.Equal(t, "ADDED \nweb-2 | blue | 0s", kind+" "+readTable(t, doc).print())
		assert.Contains(t, doc, `"columnDefinitions":null`, "only the first frame has the columns")
		kind, doc = early.object(t)
		assert.Equal(t, "BOOKMARK", kind)
		assert.Contains(t, doc, `"rows":[{"cells":["",null,null],"object":{"kind":`+
			`"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"annotations":{`+
			`"k8s.io/initial-events-end":"true"},"resourceVersion":"3"}}}]`)

		time.Sleep(5 * time.Second)
		require.NoError(t, s.Delete("widgets", "default", "web-1"))
		kind, doc = early.object(t)
		assert.Equal(t, "DELETED \nweb-1 | red | 5s", kind+" "+readTable(t, doc).print())
		kind, doc = late.object(t)
		assert.Equal(t, "DELETED Name | Color | Age\nweb-1 | red | 5s", kind+" "+
			readTable(t, doc).print(), "each watch has the columns in its own first frame")

		time.Sleep(10 * time.Second)
		replay := open(t, s, "resourceVersion=3&includeObject=None", "Accept", acceptTable)
		_, doc = replay.object(t)
		assert.Contains(t, doc, `"15s"],"object":null`, "an age is that of now, not that of the event")
		again := open(t, s, "resourceVersion=3", "Accept", acceptTable)
		_, doc = again.object(t)
		assert.Contains(t, readTable(t, doc).print(), "15s", "also for an event that was sent before")
	})
}

func TestAWatchOfMetadataHasNothingElse(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		create(t, s, "web-1", "red")
		w := open(t, s, streamed, "Accept", acceptMetadata+",application/json")
		for _, want := range []string{"ADDED", "BOOKMARK"} {
			kind, doc := w.object(t)
			assert.Equal(t, want, kind)
			assert.True(t, strings.HasPrefix(doc, `{"kind":"PartialObjectMetadata",`+
				`"apiVersion":"meta.k8s.io/v1","metadata":{`), doc)
			assert.NotContains(t, doc, "color")
		}
	})
}
