package watchglass

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Unstructured is an object of any resource: the JSON document as a map, nothing lost. It is what a
// program uses for resources it has no struct for. Numbers are kept as json.Number, so that an
// int64 survives and a document is written back digit by digit as it came.
//
// The accessors return "" for what is missing or of another type than the Kubernetes API says.
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

// GetLabels returns a copy of the labels, nil where there are none.
func (u *Unstructured) GetLabels() map[string]string { return u.stringMap("metadata", "labels") }

// GetAnnotations returns a copy of the annotations, nil where there are none.
func (u *Unstructured) GetAnnotations() map[string]string {
	return u.stringMap("metadata", "annotations")
}

// StringAt returns the string at the end of the path of keys, "" where there is none.
func (u *Unstructured) StringAt(path ...string) string {
	s, _ := u.At(path...).(string)
	return s
}

// At returns the value at the end of the path of keys, nil where there is none. It is the
// document's own value: read, don't write.
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

// UnmarshalJSON replaces the document. It implements json.Unmarshaler. Only a JSON object will do:
// no Kubernetes object is an array, a string or null.
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
