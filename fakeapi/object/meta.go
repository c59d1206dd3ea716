package object

import (
	"crypto/rand"
	"fmt"
	"maps"
	"reflect"
	"time"
)

// Meta is the metadata of an object under construction.
type Meta Tree

// MetaOf returns t's metadata, made if absent. Decoding has checked that it is an object (Fit).
func MetaOf(t Tree) Meta { return Meta(Within(t, "metadata")) }

// Within returns the object in a field of t, made if there is none.
func Within(t Tree, field string) Tree {
	o, ok := t[field].(Tree)
	if !ok {
		o = Tree{}
		t[field] = o
	}
	return o
}

// Text returns a field that is a string, or the empty string.
func (m Meta) Text(field string) string { s, _ := m[field].(string); return s }

// Texts returns a field that maps strings to strings. Nil if absent or empty.
func (m Meta) Texts(field string) map[string]string {
	in, _ := m[field].(Tree)
	if len(in) == 0 {
		return nil
	}
	out := make(map[string]string, len(in))
	for k, v := range in {
		out[k], _ = v.(string)
	}
	return out
}

// List returns a field that is a list of strings.
func (m Meta) List(field string) []string {
	in, _ := m[field].([]any)
	out := make([]string, 0, len(in))
	for _, v := range in {
		s, _ := v.(string)
		out = append(out, s)
	}
	return out
}

// SetList sets a list of strings; an empty one is left out, as the real server's types do.
func (m Meta) SetList(field string, values []string) {
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

// Generation returns the metadata's generation, 0 if there is none.
func (m Meta) Generation() int64 { g, _ := m["generation"].(int64); return g }

// Carry copies fields from another object. Fields that are missing or null there are removed.
func Carry(to, from Tree, fields ...string) {
	for _, f := range fields {
		if from[f] != nil {
			to[f] = from[f]
		} else {
			delete(to, f)
		}
	}
}

// Tidy removes empty fields, as the real server does by decoding into types: a client
// that sends "labels":null or {} has sent no labels. Of equal owners it keeps one.
func (m Meta) Tidy() {
	if once, twice := m.owners(); len(twice) > 0 {
		m["ownerReferences"] = once
	}
	maps.DeleteFunc(m, func(_ string, v any) bool {
		switch r := reflect.ValueOf(v); r.Kind() {
		case reflect.String, reflect.Map, reflect.Slice:
			return r.Len() == 0
		}
		return v == nil
	})
}

// Now returns the time as metadata has it: RFC 3339 in UTC, whole seconds.
func Now() string { return time.Now().UTC().Format(time.RFC3339) }

// NewUID returns a random (version 4) UUID, RFC 9562.
func NewUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // documented never to fail
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
