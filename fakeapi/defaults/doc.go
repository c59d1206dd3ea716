// Package defaults fills in the fields of built-in types that clients leave out. Clients
// written for a real server dereference such fields without checking.
//
// Smallest use:
//
//	var d defaults.Defaults
//	d.Complete(pods, nil, pod) // pod["spec"]["restartPolicy"] is "Always" now
//
// # What it promises
//
// A value that a client has sent stays, unless it is null or an empty string. A default
// applies only where the object around it exists: a container has no probe by default.
//
// # What it does not promise
//
// It has the defaults that controllers and kubectl rely on, of the types that the server has
// by default. The types of fields are checked before.
package defaults
