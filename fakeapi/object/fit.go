package object

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

// A Shape is the type of a JSON value.
type Shape interface {
	// fit checks a value and returns it normalized: without nulls and unknown fields. It may
	// change v. at is the path of the value; unknown collects the paths of unknown fields.
	fit(unknown *[]string, at string, v any) (any, error)
}

// The shapes. Scalars are named as errors name them.
type (
	// Record is the shape of an object with these fields. A field without a shape may be anything.
	Record map[string]Shape
	// ListOf is the shape of a list.
	ListOf struct{ Of Shape }

	scalar string
	mapOf  struct{ of Shape } // an object with any keys
)

// The scalars.
const (
	String scalar = "string"
	Time   scalar = "time"
	Int64  scalar = "int64"
	Int32  scalar = "int32"
	Bool   scalar = "bool"
)

// Metadata is the schema of an object's metadata.
var Metadata = Record{
	"name": String, "generateName": String, "namespace": String, "selfLink": String,
	"uid": String, "resourceVersion": String, "generation": Int64,
	"creationTimestamp": Time, "deletionTimestamp": Time, "deletionGracePeriodSeconds": Int64,
	"labels": mapOf{String}, "annotations": mapOf{String}, "finalizers": ListOf{String},
	"ownerReferences": ListOf{Record{"apiVersion": String, "kind": String, "name": String,
		"uid": String, "controller": Bool, "blockOwnerDeletion": Bool}},
	"managedFields": ListOf{Record{"manager": String, "operation": String, "apiVersion": String,
		"time": Time, "fieldsType": String, "fieldsV1": nil, "subresource": String}},
}

// Check checks a decoded object against a schema and normalizes it: it removes nulls and
// unknown fields, and returns the paths of the unknown ones. name is the path of the object.
func (s Record) Check(name string, o any) (unknown []string, err error) {
	_, err = s.fit(&unknown, name, o)
	return unknown, err
}

// mismatch returns the error for a value that is not of its shape.
func mismatch(at string, v any, want string) error {
	return fmt.Errorf("json: cannot unmarshal %s into field %s of type %s",
		patch.TypeName(v), at, want)
}

func (s scalar) fit(_ *[]string, at string, v any) (any, error) {
	ok := false
	switch s {
	case String:
		_, ok = v.(string)
	case Bool:
		_, ok = v.(bool)
	case Int64:
		_, ok = v.(int64)
	case Int32:
		n, isInt := v.(int64)
		ok = isInt && n == int64(int32(n))
	case Time:
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

func (s Record) fit(unknown *[]string, at string, v any) (_ any, err error) {
	o, ok := v.(Tree)
	if !ok {
		return nil, mismatch(at, v, "object")
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		inside := at + "." + name
		field, known := s[name]
		if !known {
			*unknown = append(*unknown, inside)
		}
		if !known || o[name] == nil {
			delete(o, name)
			continue
		}
		if field == nil {
			continue
		}
		if o[name], err = field.fit(unknown, inside, o[name]); err != nil {
			return nil, err
		}
	}
	return o, nil
}

func (s ListOf) fit(unknown *[]string, at string, v any) (_ any, err error) {
	list, ok := v.([]any)
	if !ok {
		return nil, mismatch(at, v, "list")
	}
	for i, e := range list {
		if e == nil {
			e = emptyOf(s.Of)
		}
		if list[i], err = s.Of.fit(unknown, at+"["+strconv.Itoa(i)+"]", e); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (s mapOf) fit(unknown *[]string, at string, v any) (_ any, err error) {
	o, ok := v.(Tree)
	if !ok {
		return nil, mismatch(at, v, "object")
	}
	for _, key := range slices.Sorted(maps.Keys(o)) {
		if o[key] == nil {
			o[key] = emptyOf(s.of)
		}
		if o[key], err = s.of.fit(unknown, at, o[key]); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// emptyOf returns what a null stands for in a list or among values.
func emptyOf(s Shape) any {
	if _, ok := s.(Record); ok {
		return Tree{}
	}
	return ""
}
