// Package patch applies the three kinds of patches of the Kubernetes API to a decoded
// JSON object: merge patches (RFC 7396), JSON patches (RFC 6902), and strategic merge
// patches, which also merge lists by a key.
//
// Smallest use:
//
//	next := patch.Merge(present, change)
//	next, err := patch.Strategic(present, change)
//
//	steps, err := patch.ParseSteps(value)
//	next, err := patch.Apply(present, steps)
//
// Values are what encoding/json decodes into an any: map[string]any, []any, string,
// bool, nil, and numbers of any comparable type that the caller chooses.
//
// # What it promises
//
// All functions only compute. They alter the present value and the change, and parts of both become
// parts of the result, so that a large value is in memory once: the caller passes values that it
// owns, see Copy. The same present value and the same change give the same result.
//
// A JSON patch has at most 10,000 operations, its copies at most 3 MiB, and the lists in which it
// inserts or removes elements at most 100,000,000 elements together; a strategic merge patch names
// at most 100 list elements once more. Others get a *LimitError. Patches that people and
// controllers send do not come near these limits.
//
// # What it does not promise
//
// It knows no schema: the name of a list decides whether a strategic merge patch merges it,
// and by which key. It does not check the object that results from a patch, and it does not
// know how errors are sent to clients.
package patch
