package fakeapi

import "example.com/watchglass/fakeapi/status"

// The answers to requests that fail. Errors of the Go API wrap a *Status.
type (
	// Status is the Kubernetes API's meta/v1 Status.
	Status = status.Status
	// Details are the object that a Status is about, and the errors in it.
	Details = status.Details
	// Cause is one error.
	Cause = status.Cause
)
