package fakeapi

import (
	"fmt"
	"reflect"
)

// meta is the metadata of an object under construction.
type meta tree

// metaOf is t's metadata, made if absent. Decoding has checked that it is an
// object (checkMeta).
func metaOf(t tree) meta {
	m, ok := t["metadata"].(tree)
	if !ok {
		m = tree{}
		t["metadata"] = m
	}
	return meta(m)
}

func (m meta) has(field string) bool { v, ok := m[field]; return ok && v != nil }

// text is a field that is a string, or the empty string.
func (m meta) text(field string) string { s, _ := m[field].(string); return s }

// texts is a field that maps strings to strings. Nil if absent or empty.
func (m meta) texts(field string) map[string]string {
	in, _ := m[field].(tree)
	if len(in) == 0 {
		return nil
	}
	out := make(map[string]string, len(in))
	for k, v := range in {
		out[k], _ = v.(string)
	}
	return out
}

// list is a field that is a list of strings.
func (m meta) list(field string) []string {
	in, _ := m[field].([]any)
	out := make([]string, 0, len(in))
	for _, v := range in {
		s, _ := v.(string)
		out = append(out, s)
	}
	return out
}

// setList sets a list of strings; an empty one is left out, as the real server's
// types do.
func (m meta) setList(field string, values []string) {
	if len(values) == 0 {
		delete(m, field)
		return
	}
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
	}
	m[field] = out
}

// generation is the metadata's generation, 0 if there is none.
func (m meta) generation() int64 { g, _ := m["generation"].(int64); return g }

// carry copies fields from another object's metadata: where that has none, m
// has none either.
func (m meta) carry(from meta, fields ...string) {
	for _, f := range fields {
		if from.has(f) {
			m[f] = from[f]
		} else {
			delete(m, f)
		}
	}
}

// tidy removes what is empty, as the real server's decoding into types does:
// a client that sends "labels":null or {} has sent no labels.
func (m meta) tidy() {
	for _, f := range []string{"labels", "annotations", "finalizers", "ownerReferences"} {
		if v := reflect.ValueOf(m[f]); !v.IsValid() || v.Len() == 0 {
			delete(m, f)
		}
	}
	for _, f := range metaStrings {
		if m.text(f) == "" {
			delete(m, f)
		}
	}
	for f, v := range m {
		if v == nil {
			delete(m, f)
		}
	}
}

// metaStrings are the metadata fields that hold a string.
var metaStrings = []string{"name", "generateName", "namespace", "uid", "resourceVersion",
	"creationTimestamp", "deletionTimestamp", "selfLink"}

// checkMeta finds metadata that is not of the types the API has: after it the
// accessors above can be trusted.
func checkMeta(t tree) error {
	v, ok := t["metadata"]
	if !ok || v == nil {
		t["metadata"] = tree{}
		return nil
	}
	m, ok := v.(tree)
	if !ok {
		return typeError("metadata", v, "object")
	}
	for _, f := range metaStrings {
		if err := checkType(m, f, "string", isString); err != nil {
			return err
		}
	}
	for _, f := range []string{"generation", "deletionGracePeriodSeconds"} {
		if err := checkType(m, f, "int64", isInteger); err != nil {
			return err
		}
	}
	for _, f := range []string{"labels", "annotations"} {
		if err := checkType(m, f, "map[string]string", isStringMap); err != nil {
			return err
		}
	}
	if err := checkType(m, "finalizers", "[]string", isStringList); err != nil {
		return err
	}
	return checkType(m, "ownerReferences", "[]OwnerReference", isObjectList)
}

func checkType(m tree, field, want string, ok func(any) bool) error {
	if v, has := m[field]; has && v != nil && !ok(v) {
		return typeError("metadata."+field, v, want)
	}
	return nil
}

func typeError(field string, v any, want string) error {
	return fmt.Errorf("json: cannot unmarshal %s into field %s of type %s", jsonType(v), field, want)
}

func isString(v any) bool  { _, ok := v.(string); return ok }
func isInteger(v any) bool { _, ok := v.(int64); return ok }

func isStringMap(v any) bool {
	m, ok := v.(tree)
	for _, e := range m {
		ok = ok && (e == nil || isString(e))
	}
	return ok
}

func isStringList(v any) bool {
	l, ok := v.([]any)
	for _, e := range l {
		ok = ok && isString(e)
	}
	return ok
}

func isObjectList(v any) bool {
	l, ok := v.([]any)
	for _, e := range l {
		_, is := e.(tree)
		ok = ok && is
	}
	return ok
}
