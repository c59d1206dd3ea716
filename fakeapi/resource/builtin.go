package resource

import (
	_ "embed"
	"encoding/json"
)

//go:embed builtin.json
var builtinJSON []byte

// Defaults returns the resources of a server whose Options name none: the
// built-in types that controllers use most, CustomResourceDefinitions among them, and
// widgets of workshop.example.dev as the custom resource. The caller owns the slice.
func Defaults() (all []Resource) {
	if err := json.Unmarshal(builtinJSON, &all); err != nil {
		panic(err)
	}
	return all
}
