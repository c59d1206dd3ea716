package fakeapi

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"example.com/watchglass/fakeapi/patch"
)

// Metadata has a schema, even in resources without one. The types below are that schema:
// they decide which values are refused, and in which words, which fields are dropped as
// unknown, and what a null means.

// A fieldType is the type of a field: its name in error messages, which is that
// of the API's Go type, and a function that checks and normalizes a value.
type fieldType struct {
	name string
	fit  func(f *fitter, at place, v any) (any, error)
}

// An objectType is the fields an object may have.
type objectType struct {
	name   string
	fields map[string]fieldType
}

var (
	aString = fieldType{"string", fitString}
	aTime   = fieldType{"string", fitTime}
	aNumber = fieldType{"int64", fitNumber}
	aBool   = fieldType{"bool", fitBool}
	aMap    = fieldType{"map[string]string", fitMap}
	aSet    = fieldType{"[]string", fitStrings}
	anyOf   = fieldType{"", func(_ *fitter, _ place, v any) (any, error) { return v, nil }}
)

var objectMeta = objectType{"ObjectMeta", map[string]fieldType{
	"name": aString, "generateName": aString, "namespace": aString, "selfLink": aString,
	"uid": {"types.UID", fitString}, "resourceVersion": aString, "generation": aNumber,
	"creationTimestamp": aTime, "deletionTimestamp": aTime, "deletionGracePeriodSeconds": aNumber,
	"labels": aMap, "annotations": aMap, "finalizers": aSet,
	"ownerReferences": listOf("OwnerReference", map[string]fieldType{
		"apiVersion": aString, "kind": aString, "name": aString, "uid": {"types.UID", fitString},
		"controller": aBool, "blockOwnerDeletion": aBool}),
	"managedFields": listOf("ManagedFieldsEntry", map[string]fieldType{
		"manager": aString, "operation": aString, "apiVersion": aString, "time": aTime,
		"fieldsType": aString, "fieldsV1": anyOf, "subresource": aString}),
}}

// fitMeta checks the metadata of a decoded object against the schema and normalizes it:
// it removes nulls and unknown fields, and returns the paths of the unknown ones. Only
// after it do the methods of meta return correct values.
func fitMeta(r *Resource, t tree) (unknown []string, err error) {
	v := t["metadata"]
	if v == nil {
		t["metadata"] = tree{}
		return nil, nil
	}
	m, ok := v.(tree)
	if !ok {
		return nil, fmt.Errorf("json: cannot unmarshal %s into Go value of type v1.ObjectMeta",
			patch.TypeName(v))
	}
	f := &fitter{}
	at := place{path: "metadata"}
	if r.Builtin() {
		at.field = "metadata." // the real server decodes it as part of the object
	}
	err = f.object(objectMeta, at, m)
	return f.unknown, err
}

// A fitter goes through one document.
type fitter struct{ unknown []string }

// A place is the path of a field, in the two notations that messages use.
type place struct {
	path  string // metadata.ownerReferences[0].uid
	owner string // ObjectMeta: the type that has the field
	field string // ownerReferences.uid: the field, without indices
}

// object fits all fields of o, in the order of their names.
func (f *fitter) object(t objectType, at place, o tree) error {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		v := o[name]
		field, known := t.fields[name]
		switch {
		case !known:
			f.unknown = append(f.unknown, at.path+"."+name)
			delete(o, name)
			continue
		case v == nil:
			delete(o, name)
			continue
		}
		v, err := field.fit(f, place{at.path + "." + name, t.name, at.field + name}, v)
		if err != nil {
			return named(err, field.name)
		}
		o[name] = v
	}
	return nil
}

// A typeMismatch is the error for a value that is not of its field's type.
type typeMismatch struct {
	at   place
	have string // the value's JSON type
	want string // the Go type it should be of; empty: the field's own
}

func (e typeMismatch) Error() string {
	return fmt.Sprintf("json: cannot unmarshal %s into Go struct field %s.%s of type %s",
		e.have, e.at.owner, e.at.field, e.want)
}

func mismatch(at place, v any) error { return typeMismatch{at: at, have: patch.TypeName(v)} }

// named fills in the wanted type if err is a mismatch without one.
func named(err error, want string) error {
	if e, ok := err.(typeMismatch); ok && e.want == "" {
		e.want = want
		return e
	}
	return err
}

func fitString(_ *fitter, at place, v any) (any, error) {
	if _, ok := v.(string); !ok {
		return nil, mismatch(at, v)
	}
	return v, nil
}

func fitBool(_ *fitter, at place, v any) (any, error) {
	if _, ok := v.(bool); !ok {
		return nil, mismatch(at, v)
	}
	return v, nil
}

func fitNumber(_ *fitter, at place, v any) (any, error) {
	switch v := v.(type) {
	case int64:
		return v, nil
	case float64:
		return nil, typeMismatch{at: at, have: "number " + strconv.FormatFloat(v, 'g', -1, 64)}
	}
	return nil, mismatch(at, v)
}

func fitInt32(f *fitter, at place, v any) (any, error) {
	v, err := fitNumber(f, at, v)
	if n, _ := v.(int64); n != int64(int32(n)) {
		return nil, typeMismatch{at: at, have: "number " + strconv.FormatInt(n, 10)}
	}
	return v, err
}

// fitTime: a timestamp is RFC 3339; the message is that of package time, as in the real
// server.
func fitTime(_ *fitter, at place, v any) (any, error) {
	text, ok := v.(string)
	if !ok {
		return nil, mismatch(at, v)
	}
	_, err := time.Parse(time.RFC3339, text)
	return v, err
}

// fitMap: a null among the values is an empty string.
func fitMap(_ *fitter, at place, v any) (any, error) {
	m, ok := v.(tree)
	if !ok {
		return nil, mismatch(at, v)
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if m[k] == nil {
			m[k] = ""
		}
		if _, ok := m[k].(string); !ok {
			return nil, typeMismatch{at, patch.TypeName(m[k]), "string"}
		}
	}
	return m, nil
}

func fitStrings(_ *fitter, at place, v any) (any, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, mismatch(at, v)
	}
	for i, e := range list {
		if e == nil {
			list[i] = ""
			continue
		}
		if _, ok := e.(string); !ok {
			return nil, typeMismatch{at, patch.TypeName(e), "string"}
		}
	}
	return list, nil
}

// objectOf is the type of an object with these fields.
func objectOf(name string, fields map[string]fieldType) fieldType {
	t := objectType{name, fields}
	return fieldType{"v1." + name, func(f *fitter, at place, v any) (any, error) {
		o, ok := v.(tree)
		if !ok {
			return nil, mismatch(at, v)
		}
		return o, f.object(t, place{path: at.path, field: at.field + "."}, o)
	}}
}

// listOf is the type of a list of such objects. A null element is an empty object.
func listOf(name string, fields map[string]fieldType) fieldType {
	element := objectOf(name, fields)
	return fieldType{"[]" + element.name, func(f *fitter, at place, v any) (any, error) {
		list, ok := v.([]any)
		if !ok {
			return nil, mismatch(at, v)
		}
		for i, e := range list {
			if e == nil {
				e = tree{}
			}
			inside := at
			inside.path += "[" + strconv.Itoa(i) + "]"
			e, err := element.fit(f, inside, e)
			if err != nil {
				return nil, named(err, element.name)
			}
			list[i] = e
		}
		return list, nil
	}}
}
