package main

import (
	"fmt"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi"
)

// A trait is a property of a resource that -resource lists after the kind: a word, or a word and a
// value.
type trait struct {
	value string // what the value looks like; empty: the trait has no value
	add   func(r *fakeapi.Resource, value string) error
}

var traits = map[string]trait{
	"cluster": {"", func(r *fakeapi.Resource, _ string) error { r.Cluster = true; return nil }},
	"status":  {"", func(r *fakeapi.Resource, _ string) error { r.Status = true; return nil }},
	"scale": {"", func(r *fakeapi.Resource, _ string) error {
		r.Scale = &fakeapi.ScalePaths{Spec: ".spec.replicas", Status: ".status.replicas",
			Selector: ".status.selector"}
		return nil
	}},
	"select": {".path", addSelect},
	"column": {"NAME:.path", addColumn},
	"short": {"NAME", func(r *fakeapi.Resource, name string) error {
		r.ShortNames = append(r.ShortNames, name)
		return checkName("short name", name)
	}},
	"singular": {"NAME", func(r *fakeapi.Resource, name string) error {
		r.Singular = name
		return checkName("singular", name)
	}},
}

// addTraits reads what follows the kind: traits with commas between them.
func addTraits(r *fakeapi.Resource, text string) error {
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		t, ok := traits[name]
		if !ok || (t.value == "") != (value == "") {
			return fmt.Errorf("%q is not one of cluster, status, scale, select=.path, "+
				"column=NAME:.path[:TYPE], short=NAME and singular=NAME", part)
		}
		if err := t.add(r, value); err != nil {
			return err
		}
	}
	return nil
}

func addSelect(r *fakeapi.Resource, path string) error {
	if !selectPath.MatchString(path) {
		return fmt.Errorf("%q is not a path to select by: expected something like .spec.color", path)
	}
	r.Select = append(r.Select, path)
	return nil
}

// columnTypes are the types that a column of a table may have.
var columnTypes = []string{"string", "integer", "number", "boolean", "date"}

// addColumn reads a column: its heading, the path to its value, and optionally a type.
func addColumn(r *fakeapi.Resource, text string) error {
	name, path, _ := strings.Cut(text, ":")
	path, kind, hasType := strings.Cut(path, ":")
	switch {
	case name == "" || !strings.HasPrefix(path, "."):
		return fmt.Errorf("the column %q is not NAME:.path, as in Color:.spec.color", text)
	case hasType && !slices.Contains(columnTypes, kind):
		return fmt.Errorf("the column %s has the type %q: expected one of %s", name, kind,
			strings.Join(columnTypes, ", "))
	}
	r.Columns = append(r.Columns, fakeapi.Column{Name: name, Path: path, Type: kind})
	return nil
}

func checkName(what, name string) error {
	if !plainName.MatchString(name) {
		return fmt.Errorf("the %s %q is not a name in small letters", what, name)
	}
	return nil
}
