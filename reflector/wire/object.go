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
// The JSON package looks at a value twice before it calls an UnmarshalJSON, so that is called from
// here. For all others it needs a stack and some state, which json.Unmarshal allocates each time: a
// json.Decoder keeps them.
func decodeObject(data []byte, into any) error {
	if u, ok := into.(json.Unmarshaler); ok && json.Valid(data) {
		return u.UnmarshalJSON(data)
	}
	if len(data) > keepBuffer || !decodeKept(data, into) {
		return json.Unmarshal(data, into)
	}
	return nil
}

// keptDecoder is a decoder between two values.
type keptDecoder struct {
	in  bytes.Reader
	dec *json.Decoder // reads from in
}

var keptDecoders = sync.Pool{New: func() any {
	k := new(keptDecoder)
	k.dec = json.NewDecoder(&k.in)
	return k
}}

// decodeKept reports whether data is exactly one value that fits into into. If not, the decoder is
// dropped, because it does not forget an error or what is left.
func decodeKept(data []byte, into any) bool {
	k := keptDecoders.Get().(*keptDecoder)
	k.in.Reset(data)
	start := k.dec.InputOffset()
	err := k.dec.Decode(into)
	if err != nil || k.dec.InputOffset() != start+int64(len(data)) {
		return false
	}
	k.in.Reset(nil)
	keptDecoders.Put(k)
	return true
}
