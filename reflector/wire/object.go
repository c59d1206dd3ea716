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

// decodeObject is json.Unmarshal for very many values, one after another.
//
// The JSON package needs a stack and some state for each value; a decoder that is kept has them. It
// looks at a value twice before it calls an UnmarshalJSON, so that is called from here.
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
	return json.Unmarshal(data, into) // which says what is wrong
}

// keptDecoder is a decoder between two values.
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

// decodeKept reports whether data is exactly one value that fits into into. If not, the decoder is
// dropped, because it does not forget an error or what is left. So it is after a very large value,
// for which it has made a buffer.
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
