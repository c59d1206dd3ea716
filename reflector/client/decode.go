package client

import (
	"bytes"
	"encoding/json"
	"fmt"

	"example.com/watchglass"
)

// decodeObject returns the P that data becomes. If data does not fit into T, its metadata is
// decoded by itself, and what it returns is a [*watchglass.Unusable]. kind is what can say its
// kind: see [wanted]. Without a name, an object has no key, and is an error.
func decodeObject[T any, P objectPointer[T]](
	by *decoder, data []byte,
) (object watchglass.Object, kind any, err error) {
	fits := P(new(T))
	err = by.unmarshal(data, fits)
	object, kind = fits, fits
	if err != nil {
		var h head
		if json.Unmarshal(data, &h) != nil || h.Metadata.Name == "" {
			return nil, nil, err
		}
		m := h.Metadata
		return &watchglass.Unusable{Namespace: m.Namespace, Name: m.Name,
			ResourceVersion: m.ResourceVersion, Err: shortened(err)}, &h, nil
	}
	if object.GetName() == "" {
		return nil, nil, fmt.Errorf("it has no metadata.name (namespace %.60q, resourceVersion %.60q)",
			object.GetNamespace(), object.GetResourceVersion())
	}
	return object, kind, nil
}

// decoder is json.Unmarshal for very many values, one after another. json.Unmarshal allocates a
// stack and some state for each value; a json.Decoder that is kept uses its own again. It also
// keeps a copy of the largest value, so a value of more than usualValue is for json.Unmarshal: an
// idle watch would hold that memory for as long as it is open.
type decoder struct {
	in      bytes.Reader
	typed   *json.Decoder // reads in; nil until it is needed
	dynamic *json.Decoder // the same, for numbers as they are written
}

const usualValue = 16 << 10 // bytes

// unmarshal makes an object of data. It calls no UnmarshalJSON of a dynamic object, because
// encoding/json would look for the end of the value twice before it does.
func (d *decoder) unmarshal(data []byte, object any) error {
	if len(data) > usualValue {
		return json.Unmarshal(data, object)
	}
	dec, into := &d.typed, object
	u, dynamic := object.(*watchglass.Unstructured)
	if dynamic {
		dec, into = &d.dynamic, &u.Object
	}
	if *dec == nil {
		*dec = json.NewDecoder(&d.in)
		if dynamic {
			(*dec).UseNumber()
		}
	}
	d.in.Reset(data)
	defer d.in.Reset(nil) // or the buffer that data is in could not be freed
	end := (*dec).InputOffset() + int64(len(data))
	if (*dec).Decode(into) == nil && (*dec).InputOffset() == end {
		return nil
	}
	*dec = nil                          // it keeps its error, or the rest of data
	return json.Unmarshal(data, object) // for its error, which says what is wrong
}
