package fakeapi

import "reflect"

// meta is the metadata of an object under construction.
type meta tree

// metaOf is t's metadata, made if absent. Decoding has checked that it is an
// object (fitMeta).
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

// carry copies fields from another object's metadata. Fields that are missing there
// are removed from m.
func (m meta) carry(from meta, fields ...string) {
	for _, f := range fields {
		if from.has(f) {
			m[f] = from[f]
		} else {
			delete(m, f)
		}
	}
}

// tidy removes empty fields, as the real server does by decoding into types: a client
// that sends "labels":null or {} has sent no labels.
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
