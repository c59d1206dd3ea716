package fakeapi

import (
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/patch"
)

// A preset is a default: what a field is where an object of a built-in type leaves
// it out. Clients written for a real server dereference such fields without a
// second look, so they have to be there.
type preset struct {
	// path is where the field is. A name that ends in [] means every element of a
	// list. What holds the field has to be there: a probe has defaults, but no
	// container has a probe by default.
	path string
	// value is what the field becomes: JSON, of which each object gets its own
	// copy, or a func(holder tree) any for one that depends on the fields beside
	// it. Nil from such a function means none.
	value any
}

// complete fills in what the resource's objects have by default, in a new object
// and in one that is updated: a PUT that leaves a field out asks for its default.
// was is the object before, nil for a new one.
func (r *Resource) complete(was, t tree) {
	if !r.Builtin() {
		return
	}
	d := defaults[r.QualifiedName()]
	if d.prepare != nil {
		d.prepare(r, was, t)
	}
	for _, p := range d.presets {
		p.fill(t, p.path[1:]) // without the dot that it begins with
	}
}

// fill sets the field at a path below t.
func (p preset) fill(t tree, path string) {
	key, rest, more := strings.Cut(path, ".")
	key, each := strings.CutSuffix(key, "[]")
	switch v := t[key].(type) {
	case nil:
		if !more {
			p.set(t, key)
		}
	case tree:
		if more && !each {
			p.fill(v, rest)
		}
	case []any:
		for _, e := range v {
			if o, ok := e.(tree); ok && each {
				p.fill(o, rest)
			}
		}
	case string:
		if v == "" && !more { // as a typed client sends what it does not set
			p.set(t, key)
		}
	}
}

func (p preset) set(t tree, key string) {
	v := p.value
	if f, ok := v.(func(tree) any); ok {
		v = f(t)
	}
	if v != nil {
		t[key] = patch.Copy(v)
	}
}

// below are presets for what is at a path.
func below(path string, presets ...[]preset) []preset {
	var all []preset
	for _, some := range presets {
		for _, p := range some {
			all = append(all, preset{path + p.path, p.value})
		}
	}
	return all
}

// when is a value for a field that has one only if the field beside it is one of
// some values.
func when(field string, value any, is ...string) func(tree) any {
	return func(holder tree) any {
		if have, _ := holder[field].(string); slices.Contains(is, have) {
			return value
		}
		return nil
	}
}
