package mutation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Error says that an object of the cache was changed, and what is known about when and by
// which handler. It holds values of the object: do not log it where the objects are secrets.
type Error struct {
	Key             string
	ResourceVersion string
	Changes         []Change  // at least one, in the order of their paths
	Since           time.Time // when the object entered the cache
	Intact          time.Time // when it was last found unchanged
	Found           time.Time // when it was found changed
	// Handler is the name of the handler after whose call the change was found, "" if it was found
	// at another time. Another goroutine may have made the change during that call.
	Handler string
	// Told has the names of all handlers that had been called with the object by then. If there is
	// none, a reader of the cache has changed the object.
	Told []string
}

// Change is one value that differs. Values are JSON, "" where there was or is none.
type Change struct {
	Path string // metadata.labels.app or spec.containers[0].image; "" for the whole object
	From string
	To   string
}

// maxChanges and maxValue bound what Error prints of an object.
const (
	maxChanges = 10
	maxValue   = 120 // bytes
)

// Error returns all of it in one line: which object, when, by which handler, and what has changed.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "object %q @%s, in the cache for %v, was changed within the last %v (", e.Key,
		e.ResourceVersion, e.Found.Sub(e.Since).Round(time.Millisecond),
		e.Found.Sub(e.Intact).Round(time.Millisecond))
	if e.Handler != "" {
		fmt.Fprintf(&b, "found after a call of handler %q; ", e.Handler)
	}
	if len(e.Told) == 0 {
		b.WriteString("no handler was told of it)")
	} else {
		fmt.Fprintf(&b, "handlers told of it: %s)", strings.Join(e.Told, ", "))
	}
	for i, c := range e.Changes {
		if i == maxChanges {
			fmt.Fprintf(&b, "; and %d more", len(e.Changes)-i)
			break
		}
		fmt.Fprintf(&b, "%c %s", ":;"[min(i, 1)], c)
	}
	return b.String()
}

// String shows a change as `metadata.labels.app: "a" → "b"`. Long values are cut.
func (c Change) String() string {
	path := c.Path
	if path == "" {
		path = "the object"
	}
	return fmt.Sprintf("%s: %s → %s", path, short(c.From), short(c.To))
}

func short(value string) string {
	if value == "" {
		return "none"
	}
	if len(value) > maxValue {
		return strings.ToValidUTF8(value[:maxValue], "") + "…"
	}
	return value
}

// diff returns the differences between two JSON documents, of which there is at least one.
func diff(before, now []byte) []Change {
	return appendDiff(nil, "", decode(before), decode(now))
}

func decode(document []byte) (value any) {
	d := json.NewDecoder(bytes.NewReader(document))
	d.UseNumber()
	_ = d.Decode(&value) // encoding/json has written it
	return value
}

// absent stands for a value that one of the documents does not have. It differs from null.
type absent struct{}

// appendDiff compares objects key by key and arrays element by element, so that a change has the
// longest path that is possible. Everything else is one value.
func appendDiff(changes []Change, path string, before, now any) []Change {
	switch b := before.(type) {
	case map[string]any:
		if n, ok := now.(map[string]any); ok {
			return appendObject(changes, path, b, n)
		}
	case []any:
		if n, ok := now.([]any); ok {
			return appendArray(changes, path, b, n)
		}
	}
	from, to := encode(before), encode(now)
	if from == to {
		return changes
	}
	return append(changes, Change{path, from, to})
}

func appendObject(changes []Change, path string, before, now map[string]any) []Change {
	keys := slices.Collect(maps.Keys(before))
	for key := range now {
		if _, both := before[key]; !both {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		changes = appendDiff(changes, path+step(path, key), valueAt(before, key), valueAt(now, key))
	}
	return changes
}

func valueAt(object map[string]any, key string) any {
	if value, ok := object[key]; ok {
		return value
	}
	return absent{}
}

func appendArray(changes []Change, path string, before, now []any) []Change {
	at := func(array []any, i int) any {
		if i < len(array) {
			return array[i]
		}
		return absent{}
	}
	for i := range max(len(before), len(now)) {
		changes = appendDiff(changes, fmt.Sprintf("%s[%d]", path, i), at(before, i), at(now, i))
	}
	return changes
}

// plainKey is a key that needs no quotes in a path. Label keys usually have dots.
var plainKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

func step(path, key string) string {
	switch {
	case !plainKey.MatchString(key):
		return fmt.Sprintf("[%q]", key)
	case path == "":
		return key
	}
	return "." + key
}

func encode(value any) string {
	if value == (absent{}) {
		return ""
	}
	encoded, _ := json.Marshal(value) // it was decoded from JSON
	return string(encoded)
}
