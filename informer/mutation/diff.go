package mutation

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// diff returns the differences between two JSON documents, with the longest paths that are
// possible: it compares objects key by key and arrays element by element.
func diff(path string, before, now json.RawMessage) (changes []string) {
	if bytes.Equal(before, now) {
		return nil
	}
	b, n := parts(before), parts(now)
	if len(b) == 0 || len(n) == 0 || before[0] != now[0] { // no parts, or an array and an object
		path = cmp.Or(strings.TrimPrefix(path, "."), "the object")
		return []string{fmt.Sprintf("%s: %s → %s", path, short(before), short(now))}
	}
	steps := maps.Clone(b)
	maps.Copy(steps, n)
	for _, step := range slices.Sorted(maps.Keys(steps)) {
		changes = append(changes, diff(path+step, b[step], n[step])...)
	}
	return changes
}

// parts returns the values of an object or array, by the step that leads there: .spec or [0].
func parts(document json.RawMessage) map[string]json.RawMessage {
	var object map[string]json.RawMessage
	var array []json.RawMessage
	parts := map[string]json.RawMessage{}
	_ = json.Unmarshal(document, &object) // of the two, only what fits is filled
	_ = json.Unmarshal(document, &array)
	for key, value := range object {
		step := "." + key
		if strings.ContainsAny(key, `./[]" `) { // as most label keys
			step = fmt.Sprintf("[%q]", key)
		}
		parts[step] = value
	}
	for i, value := range array {
		parts[fmt.Sprintf("[%d]", i)] = value
	}
	return parts
}

func short(value json.RawMessage) string {
	switch {
	case value == nil:
		return "none"
	case len(value) > 120:
		return strings.ToValidUTF8(string(value[:120]), "") + "…"
	}
	return string(value)
}
