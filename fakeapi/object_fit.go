package fakeapi

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"example.com/watchglass/fakeapi/patch"
)

// Metadata has a schema, even in resources without one. Shapes are that schema: they decide
// which values are refused, which fields are dropped as unknown, and what a null means.

// A shape is the type of a JSON value.
type shape interface {
	// fit checks a value and returns it normalized: without nulls and unknown fields. It may
	// change v. at is the path of the value; f collects the paths of unknown fields.
	fit(f *fitter, at string, v any) (any, error)
}

// A fitter goes through one document.
type fitter struct{ unknown []string }

// The shapes. Scalars are named as errors name them.
type (
	scalar   string
	record   map[string]shape // an object
	listOf   struct{ shape }
	mapOf    struct{ shape } // an object with any keys
	anything struct{}
)

const (
	aString scalar = "string"
	aTime   scalar = "time"
	anInt64 scalar = "int64"
	anInt32 scalar = "int32"
	aBool   scalar = "bool"
)

var objectMeta = record{
	"name": aString, "generateName": aString, "namespace": aString, "selfLink": aString,
	"uid": aString, "resourceVersion": aString, "generation": anInt64,
	"creationTimestamp": aTime, "deletionTimestamp": aTime, "deletionGracePeriodSeconds": anInt64,
	"labels": mapOf{aString}, "annotations": mapOf{aString}, "finalizers": listOf{aString},
	"ownerReferences": listOf{record{"apiVersion": aString, "kind": aString, "name": aString,
		"uid": aString, "controller": aBool, "blockOwnerDeletion": aBool}},
	"managedFields": listOf{record{"manager": aString, "operation": aString,
		"apiVersion": aString, "time": aTime, "fieldsType": aString, "fieldsV1": anything{},
		"subresource": aString}},
}

// fitMeta checks the metadata of a decoded object against the schema and normalizes it:
// it removes nulls and unknown fields, and returns the paths of the unknown ones. Only
// after it do the methods of meta return correct values.
func fitMeta(t tree) (unknown []string, err error) {
	if t["metadata"] == nil {
		t["metadata"] = tree{}
	}
	f := &fitter{}
	_, err = objectMeta.fit(f, "metadata", t["metadata"])
	return f.unknown, err
}

// mismatch is the error for a value that is not of its shape.
func mismatch(at string, v any, want string) error {
	return fmt.Errorf("json: cannot unmarshal %s into field %s of type %s",
		patch.TypeName(v), at, want)
}

func (s scalar) fit(_ *fitter, at string, v any) (any, error) {
	ok := false
	switch s {
	case aString:
		_, ok = v.(string)
	case aBool:
		_, ok = v.(bool)
	case anInt64:
		_, ok = v.(int64)
	case anInt32:
		n, isInt := v.(int64)
		ok = isInt && n == int64(int32(n))
	case aTime:
		if text, isText := v.(string); isText {
			_, err := time.Parse(time.RFC3339, text)
			return v, err
		}
	}
	if !ok {
		return nil, mismatch(at, v, string(s))
	}
	return v, nil
}

func (s record) fit(f *fitter, at string, v any) (any, error) {
	o, ok := v.(tree)
	if !ok {
		return nil, mismatch(at, v, "object")
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		inside := at + "." + name
		field, known := s[name]
		if !known {
			f.unknown = append(f.unknown, inside)
		}
		if !known || o[name] == nil {
			delete(o, name)
			continue
		}
		v, err := field.fit(f, inside, o[name])
		if err != nil {
			return nil, err
		}
		o[name] = v
	}
	return o, nil
}

func (s listOf) fit(f *fitter, at string, v any) (_ any, err error) {
	list, ok := v.([]any)
	if !ok {
		return nil, mismatch(at, v, "list")
	}
	for i, e := range list {
		if e == nil {
			e = emptyOf(s.shape)
		}
		if list[i], err = s.shape.fit(f, at+"["+strconv.Itoa(i)+"]", e); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (s mapOf) fit(f *fitter, at string, v any) (_ any, err error) {
	o, ok := v.(tree)
	if !ok {
		return nil, mismatch(at, v, "object")
	}
	for _, key := range slices.Sorted(maps.Keys(o)) {
		if o[key] == nil {
			o[key] = emptyOf(s.shape)
		}
		if o[key], err = s.shape.fit(f, at, o[key]); err != nil {
			return nil, err
		}
	}
	return o, nil
}

func (anything) fit(_ *fitter, _ string, v any) (any, error) { return v, nil }

// emptyOf is what a null stands for in a list or among values.
func emptyOf(s shape) any {
	if _, ok := s.(record); ok {
		return tree{}
	}
	return ""
}
