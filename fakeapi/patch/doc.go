// Package patch applies the three kinds of patches that the Kubernetes API knows to a
// decoded JSON object: merge patches (RFC 7396), JSON patches (RFC 6902), and
// strategic merge patches, which also merge lists by a key.
//
// Smallest use:
//
//	next := patch.Merge(present, change)
//	next, err := patch.Strategic(present, change)
//
//	steps, unknown, err := patch.ParseSteps(value)
//	next, err := patch.Apply(present, steps)
//
// Values are what encoding/json decodes into an any: map[string]any, []any, string,
// bool, nil, and numbers of whatever comparable type the caller decodes them to.
//
// # What it promises
//
// All functions only compute. They alter the present value that they are given, and
// parts of the change become parts of the result: the caller passes values that it
// owns, see Copy. The same present value and the same change give the same result.
//
// The work is proportional to the size of the object and of the patch, or it is bounded:
// beyond some limits, which no patch of a person or a controller comes near, the error is
// a *LimitError.
//
// # What it does not promise
//
// It knows no schema: which lists a strategic merge patch merges, and by which key, is
// decided by the list's name. It does not know what an object may look like after a
// patch, nor how a client is told of an error.
package patch
