// Package crd says what a CustomResourceDefinition means: whether it is valid, which of its names
// are accepted, and which type it describes.
//
//	definition.go  decodes a definition, and derives the type that it describes
//	schemas.json   the fields that a definition is decoded from
//	validate.go    validates it
//	status.go      decides which of its names are accepted: status.conditions
//
// Smallest use:
//
//	err := crd.Validate(&errs, nil, tree)
//	err = crd.Decide(nil, tree, served) // sets status.acceptedNames and status.conditions
//	d, err := crd.Read(tree)
//	typ := d.Type(crd.StatusOf(tree).Names)
//
// # What it promises
//
// Everything here is computed from its arguments. Errors and conditions have the words of a
// real server.
//
// # What it does not promise
//
// A definition has one version. Of a schema it checks only the type of the root, and nothing
// enforces one. It serves
// nothing: see package registry.
package crd
