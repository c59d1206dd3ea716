package client

import (
	"bytes"
	"encoding/json"

	"example.com/watchglass"
)

// decoder is json.Unmarshal for very many values, one after another. json.Unmarshal allocates a
// stack and some state for each value; a json.Decoder that is kept uses its own again.
type decoder struct {
	in      bytes.Reader
	typed   *json.Decoder // reads in; nil until it is needed
	dynamic *json.Decoder // the same, for numbers as they are written
}

// unmarshal makes an object of data. It calls no UnmarshalJSON of a dynamic object, because
// encoding/json would look for the end of the value twice before it does. A large value is for
// json.Unmarshal, which does not copy it.
func (d *decoder) unmarshal(data []byte, object any) error {
	if len(data) > keepBuffer {
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
	end := (*dec).InputOffset() + int64(len(data))
	if (*dec).Decode(into) == nil && (*dec).InputOffset() == end {
		return nil
	}
	*dec = nil                          // it keeps its error, or the rest of data
	return json.Unmarshal(data, object) // for its error, which says what is wrong
}
