package resource

import (
	_ "embed"
	"encoding/json"
)

//go:embed builtin.json
var builtinJSON []byte

// Defaults returns the resources in builtin.json: those of a server whose Options name none. The
// caller owns the slice.
func Defaults() (all []Resource) {
	if err := json.Unmarshal(builtinJSON, &all); err != nil {
		panic(err)
	}
	return all
}
