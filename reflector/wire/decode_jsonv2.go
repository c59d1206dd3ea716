//go:build goexperiment.jsonv2

package wire

import "encoding/json"

// decoder is json.Unmarshal, which in this build needs no help.
type decoder struct{}

func (*decoder) unmarshal(data []byte, object any) error { return json.Unmarshal(data, object) }
