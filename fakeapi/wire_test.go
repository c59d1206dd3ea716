package fakeapi

import (
	"bufio"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
)

// A definition may have many columns that show the same large value, and selectable fields
// that contain each other. Neither may make the answers and documents much larger than the
// object.
func TestWhatIsShownOfAnObjectIsNotMuchLargerThanIt(t *testing.T) {
	columns, fields := make([]any, 32), make([]any, 8)
	for i := range columns {
		columns[i] = object.Tree{"name": fmt.Sprint("c", i), "type": "string", "jsonPath": ".spec"}
	}
	path := ".spec"
	for i := range fields {
		fields[i] = object.Tree{"jsonPath": path}
		path += ".in"
	}
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		const size = 100_000
		must(s.Create("customresourcedefinitions", levers(func(d object.Tree) {
			v := object.At[[]any](d, ".spec.versions")[0].(object.Tree)
			v["additionalPrinterColumns"], v["selectableFields"] = columns, fields
		})))
		must(s.Create("levers", `{"metadata":{"name":"web-1"},"spec":{"in":{"in":{"in":{"in":{"text":"`+
			strings.Repeat("é", size/2)+`"}}}}}}`))
		_, table := send(t, s, "GET", leversPath, "", "Accept", acceptTable)
		assert.Less(t, len(table), 3*size, "a row has little more text than its object")
		assert.Contains(t, table, `"cells":["web-1","{\"in\":{\"in\"`, "the first columns are whole")
		assert.NotContains(t, table, `\ufffd`, "no character is cut in two")
		c := must(s.collection("look into", "levers"))
		assert.Less(t, c.Get("default/web-1").Size(), 2*size, "fields are values, not objects")
	})
}

func TestHTTP2CarriesAHundredStreamsOnOneConnection(t *testing.T) {
	overHTTP2(t, Options{}, func(t *testing.T, x *secure) {
		var watches []*tap
		for range 99 {
			resp := x.get(t, widgetsPath+"?watch=1&resourceVersion=1")
			assert.Equal(t, "application/json", resp.Header.Get("Content-Type"))
			watches = append(watches, &tap{bufio.NewReader(resp.Body)})
		}
		create(t, x.Server, "web-0", "red")
		create(t, x.Server, "web-1", "red")
		x.get(t, widgetsPath)
		settled()
		assert.EqualValues(t, 1, x.dials.Load(), "a request shares the connection with open watches")
		for range 2 {
			x.get(t, widgetsPath+"?watch=1")
		}
		assert.EqualValues(t, 2, x.dials.Load(), "the hundred-and-first opens another")
		x.Close()
		for i, w := range watches {
			require.Equal(t, []string{"ADDED web-0@2", "ADDED web-1@3", "EOF"}, w.rest(),
				"watch %d received all events, and ends cleanly when the server closes", i)
		}
	})
}
