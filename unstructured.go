package watchglass

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Unstructured is an object of any resource: its whole JSON document as a map. It is for resources
// that a program has no struct for. Numbers are kept as json.Number: a float64 would lose digits of
// a large int64, and a number would not be written back with the digits that were read.
//
// The string accessors return "" if the field is missing or is not a string.
type Unstructured struct {
	Object map[string]any
}

// GetAPIVersion returns apiVersion, for example "apps/v1".
func (u *Unstructured) GetAPIVersion() string { return u.StringAt("apiVersion") }

// GetKind returns kind, for example "Deployment".
func (u *Unstructured) GetKind() string { return u.StringAt("kind") }

// GetNamespace implements [Object].
func (u *Unstructured) GetNamespace() string { return u.StringAt("metadata", "namespace") }

// GetName implements [Object].
func (u *Unstructured) GetName() string { return u.StringAt("metadata", "name") }

// GetResourceVersion implements [Object].
func (u *Unstructured) GetResourceVersion() string {
	return u.StringAt("metadata", "resourceVersion")
}

// GetUID returns the UID.
func (u *Unstructured) GetUID() string { return u.StringAt("metadata", "uid") }

// GetLabels returns a copy of the labels, nil if there are none.
func (u *Unstructured) GetLabels() map[string]string { return u.stringMap("metadata", "labels") }

// GetAnnotations returns a copy of the annotations, nil if there are none.
func (u *Unstructured) GetAnnotations() map[string]string {
	return u.stringMap("metadata", "annotations")
}

// GetFinalizers implements [Finalized]. It returns a copy, nil if there are none.
func (u *Unstructured) GetFinalizers() (finalizers []string) {
	values, _ := u.At("metadata", "finalizers").([]any)
	for _, value := range values {
		finalizer, _ := value.(string)
		finalizers = append(finalizers, finalizer)
	}
	return finalizers
}

// SetFinalizers implements [Finalized]. It writes into the document, which must have metadata.
func (u *Unstructured) SetFinalizers(finalizers []string) {
	values := []any{}
	for _, finalizer := range finalizers {
		values = append(values, finalizer)
	}
	u.At("metadata").(map[string]any)["finalizers"] = values
}

// StringAt returns the string at the end of the path of keys, "" if there is none.
func (u *Unstructured) StringAt(path ...string) string {
	s, _ := u.At(path...).(string)
	return s
}

// At returns the value at the end of the path of keys, nil if there is none. It is the document's
// own value, which must not be modified.
func (u *Unstructured) At(path ...string) any {
	var at any = u.Object
	for _, key := range path {
		m, ok := at.(map[string]any)
		if !ok {
			return nil
		}
		at = m[key]
	}
	return at
}

func (u *Unstructured) stringMap(path ...string) map[string]string {
	m, _ := u.At(path...).(map[string]any)
	if len(m) == 0 {
		return nil
	}
	strings := make(map[string]string, len(m))
	for k, v := range m {
		if s, ok := v.(string); ok {
			strings[k] = s
		}
	}
	return strings
}

// MarshalJSON writes the document, keys sorted. It implements json.Marshaler.
func (u *Unstructured) MarshalJSON() ([]byte, error) { return json.Marshal(u.Object) }

// UnmarshalJSON replaces the document. It implements json.Unmarshaler. It fails, and changes
// nothing, if data is anything but one JSON object: no Kubernetes object is an array, a string or
// null.
func (u *Unstructured) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var doc map[string]any
	if err := dec.Decode(&doc); err != nil {
		return fmt.Errorf("not a JSON object: %w", err)
	}
	if doc == nil {
		return errors.New("not a JSON object: null")
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("more than one JSON value")
	}
	u.Object = doc
	return nil
}
