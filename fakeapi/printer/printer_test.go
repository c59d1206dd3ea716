package printer

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
)

// decode decodes an object as the server does: whole numbers are int64.
func decode(t testing.TB, text string) object {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var o object
	require.NoError(t, d.Decode(&o), text)
	return narrow(o).(object)
}

func narrow(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, _ := v.Float64()
		return f
	case object:
		for k, e := range v {
			v[k] = narrow(e)
		}
	case []any:
		for i, e := range v {
			v[i] = narrow(e)
		}
	}
	return v
}

func TestPodStatus(t *testing.T) {
	for _, row := range story.Laws(t, "pods") {
		assert.Equal(t, row[2], podStatus(decode(t, row[1])), row[0])
	}
}

func TestARunningPodsRow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now().UTC()
		doc := fmt.Sprintf(`{"metadata":{"name":"web-1","creationTimestamp":%q},
			"spec":{"nodeName":"n","containers":[{}],"readinessGates":[{"conditionType":"a"}]},
			"status":{"phase":"Running","podIPs":[{"ip":"10.1.1.1"}],
			"conditions":[{"type":"a","status":"True"}],"containerStatuses":[{"ready":true,
			"restartCount":2,"state":{"running":{}},"lastState":{"terminated":{"finishedAt":%q}}}]}}`,
			now.Add(-26*time.Hour).Format(time.RFC3339), now.Add(-5*time.Minute).Format(time.RFC3339))
		assert.Equal(t, []any{"web-1", "1/1", "Running", "2 (5m ago)", "26h", "10.1.1.1", "n",
			"<none>", "1/1"}, builtin["pods"].Cells(decode(t, doc), 1<<10))
	})
}

func TestColumnsHaveTypes(t *testing.T) {
	for _, row := range story.Laws(t, "columns") {
		c := decode(t, row[2])
		assert.Equal(t, c["want"], Column{Type: row[1]}.show(c["value"]), row[0])
	}
}

func TestAgesAreShort(t *testing.T) {
	for _, row := range story.Laws(t, "ages") {
		d, err := time.ParseDuration(row[0])
		require.NoError(t, err)
		assert.Equal(t, row[1], shortDuration(d), row[0])
	}
}

func TestASelectorIsShownAsText(t *testing.T) {
	o := decode(t, `{"matchLabels":{"b":2,"a":"1"},"matchExpressions":[{"key":"c","operator":"In","values":
		["y","x"]},{"key":"d","operator":"NotIn","values":["z"]},{"key":"e"},{"key":"f","operator":"DoesNotExist"}]}`)
	assert.Equal(t, "a=1,b=2,c in (x,y),d notin (z),e,!f", Selector(o))
}

func TestReadinessGatesThatHoldAreCounted(t *testing.T) {
	o := decode(t, `{"spec":{"readinessGates":[{"conditionType":"a"},{"conditionType":"b"},
		{"conditionType":"c"},{"conditionType":"d"}]},"status":{"conditions":[{"type":"a","status":"True"},
		{"type":"a","status":"False"},{"type":"b","status":"False"},{"type":"b","status":"True"}]}}`)
	assert.Equal(t, "1/4", readinessGates(o), "of conditions with the same type, the first counts")
}
