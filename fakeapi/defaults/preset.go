package defaults

import (
	"slices"
	"strings"
	"sync/atomic"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
	"example.com/watchglass/fakeapi/resource"
)

// A preset gives one field of a built-in type its default.
type preset struct {
	path string // with a leading dot; [] after a name means every element of the list
	// value is the default: JSON, of which each object gets its own copy, or a
	// func(holder object.Tree) any for one that depends on the fields beside it. If the
	// function returns nil, there is no default.
	value any
	// If beside is the name of a field beside it, the default applies only if that has one of
	// these values.
	beside string
	is     []string
}

// Defaults completes objects of built-in types. The zero value is ready for use, by many
// goroutines.
type Defaults struct{ Given atomic.Uint32 } // how many cluster IPs services have got

// Complete fills in the defaults of t, which is a new object or an updated one: a PUT that leaves a
// field out asks for its default. was is the object before the update, nil for a new one.
func (d *Defaults) Complete(typ *resource.Type, was, t object.Tree) {
	if !typ.Builtin() {
		return
	}
	switch typ.QualifiedName() {
	case "services":
		d.prepareService(was, t)
	case "secrets":
		prepareSecret(t)
	}
	for _, p := range presets[typ.QualifiedName()] {
		p.fill(t, p.path[1:]) // without the leading dot
	}
}

// fill sets the field at a path below t.
func (p preset) fill(t object.Tree, path string) {
	key, rest, more := strings.Cut(path, ".")
	key, each := strings.CutSuffix(key, "[]")
	switch v := t[key].(type) {
	case object.Tree:
		if more && !each {
			p.fill(v, rest)
		}
	case []any:
		for _, e := range v {
			if o, ok := e.(object.Tree); ok && each {
				p.fill(o, rest)
			}
		}
	default:
		if !more && (v == nil || v == "") { // typed clients send "" for strings that are not set
			p.set(t, key)
		}
	}
}

func (p preset) set(t object.Tree, key string) {
	if is, _ := t[p.beside].(string); p.beside != "" && !slices.Contains(p.is, is) {
		return
	}
	v := p.value
	if f, ok := v.(func(object.Tree) any); ok {
		v = f(t)
	}
	if v != nil {
		t[key] = patch.Copy(v)
	}
}
