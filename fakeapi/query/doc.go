// Package query reads the options of requests: what a list reads, where a watch begins, and
// how a write is to be carried out. They are meta/v1 ListOptions, CreateOptions,
// UpdateOptions, PatchOptions and DeleteOptions.
//
// Smallest use:
//
//	o, err := query.ParseList(widgets, request.URL.Query())
//	plan, err := o.Plan("default/") // at which version, from which key on, how many
//
// # What it promises
//
// Everything here is computed from its arguments: there is no clock, no store and no HTTP.
// Which combinations are refused, with which words and which code, is what a real server
// does. Errors are *status.Status.
//
// # What it does not promise
//
// A plan may name a version that is not in the history. A continue token is not secret and
// not signed, but it never leads out of the selection.
package query
