package wire

import (
	"bytes"
	"encoding/json"
	"sync"

	"example.com/watchglass"
)

// objectPointer says that P is the pointer to T, and an object.
type objectPointer[T any] interface {
	*T
	watchglass.Object
}

// decodeObject is json.Unmarshal, but cheaper for very many values, one after another.
//
// json.Unmarshal allocates a stack and some state for each value; a decoder that is kept uses its
// own again. json.Unmarshal also scans a value twice before it calls an UnmarshalJSON, so
// decodeObject calls that method itself.
func decodeObject(data []byte, into any) error {
	switch into := into.(type) {
	case *watchglass.Unstructured: // whose UnmarshalJSON would make a decoder for each object
		var doc map[string]any
		if decodeKept(&numberDecoders, data, &doc) && doc != nil {
			into.Object = doc
			return nil
		}
	case json.Unmarshaler:
		if json.Valid(data) {
			return into.UnmarshalJSON(data)
		}
	default:
		if decodeKept(&decoders, data, into) {
			return nil
		}
	}
	return json.Unmarshal(data, into) // for its error, which says what is wrong
}

// keptDecoder is a json.Decoder that is kept for the next value.
type keptDecoder struct {
	in  bytes.Reader
	dec *json.Decoder // reads from in
}

var (
	decoders       = sync.Pool{New: func() any { return newKeptDecoder() }}
	numberDecoders = sync.Pool{New: func() any { // for numbers as they are written
		k := newKeptDecoder()
		k.dec.UseNumber()
		return k
	}}
)

func newKeptDecoder() *keptDecoder {
	k := new(keptDecoder)
	k.dec = json.NewDecoder(&k.in)
	return k
}

// decodeKept decodes data into into, and reports whether data is exactly one value that fits. If it
// is not, the decoder is dropped, because it keeps its error or the rest of data. It is also
// dropped after a very large value, because it keeps the buffer for that.
func decodeKept(pool *sync.Pool, data []byte, into any) bool {
	k := pool.Get().(*keptDecoder)
	k.in.Reset(data)
	start := k.dec.InputOffset()
	err := k.dec.Decode(into)
	if err != nil || k.dec.InputOffset() != start+int64(len(data)) {
		return false
	}
	if len(data) <= keepBuffer {
		k.in.Reset(nil)
		pool.Put(k)
	}
	return true
}
