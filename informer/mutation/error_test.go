package mutation

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestDiff(t *testing.T) {
	for _, c := range []struct{ before, now, want string }{
		{`{"a":1}`, `{"a":2}`, "a: 1 → 2"},
		{`{"a":{"b":[{"c":"x"}]}}`, `{"a":{"b":[{"c":"y"}]}}`, `a.b[0].c: "x" → "y"`},
		{`{}`, `{"a":null}`, "a: none → null"},
		{`{"a":{"x":1}}`, `{}`, `a: {"x":1} → none`},
		{`{"a":[1,2]}`, `{"a":[1,2,3]}`, "a[2]: none → 3"},
		{`{"a":[1,2]}`, `{"a":[2]}`, "a[0]: 1 → 2; a[1]: 2 → none"},
		{`{"a":[1]}`, `{"a":{"b":1}}`, `a: [1] → {"b":1}`},
		{`{"a":{"b":1}}`, `{"a":[1]}`, `a: {"b":1} → [1]`},
		{`{"m":{"app.io/name":"x"}}`, `{"m":{"app.io/name":"y"}}`, `m["app.io/name"]: "x" → "y"`},
		{`{"e":1,"d":1,"b":1,"a":1}`, `{"c":1,"a":2}`,
			"a: 1 → 2; b: 1 → none; c: none → 1; d: 1 → none; e: 1 → none"},
		{`{"n":9007199254740993}`, `{"n":9007199254740992}`, "n: 9007199254740993 → 9007199254740992"},
		{`{"a":1}`, `"gone"`, `the object: {"a":1} → "gone"`},
	} {
		var got []string
		for _, change := range diff([]byte(c.before), []byte(c.now)) {
			got = append(got, change.String())
		}
		assert.Equal(t, c.want, strings.Join(got, "; "), "%s became %s", c.before, c.now)
	}
}

func TestErrorNamesChangesTimesAndHandlers(t *testing.T) {
	began := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	e := &Error{
		Key: "default/web-1", ResourceVersion: "5",
		Changes: []Change{{"spec.color", `"red"`, `"blue"`}, {"spec.size", "", "3"}},
		Since:   began, Intact: began.Add(59 * time.Second), Found: began.Add(time.Minute),
		Handler: "painter", Told: []string{"audit", "painter"},
	}
	assert.EqualError(t, e, `object "default/web-1" @5, in the cache for 1m0s, was changed within `+
		`the last 1s (found after a call of handler "painter"; handlers told of it: audit, painter): `+
		`spec.color: "red" → "blue"; spec.size: none → 3`)
	e.Handler, e.Told, e.Changes = "", nil, nil
	for i := range 12 {
		e.Changes = append(e.Changes, Change{fmt.Sprint("f", i), "1", strings.Repeat("é", 100)})
	}
	assert.Contains(t, e.Error(), "(no handler was told of it): f0: 1 → é")
	assert.Contains(t, e.Error(), "; and 2 more")
	assert.NotContains(t, e.Error(), "f10", "ten changes are enough to find the culprit")
	assert.NotContains(t, e.Error(), "f11", "the text ends with the number of those left out")
	whole := strings.Repeat("x", maxValue)
	assert.Equal(t, "f: none → "+whole, Change{"f", "", whole}.String(),
		"a value within the limit is not cut")
	assert.Less(t, len(e.Error()), 2000, "a large value does not flood the log")
}
