package fakeapi

import (
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/stream"
	"example.com/watchglass/fakeapi/wire"
)

// Status is the answer to a request that fails: the Kubernetes API's meta/v1 Status. Errors of the
// Go API wrap a *Status.
type Status = status.Status

// What the server serves.
type (
	// Resource describes one type of objects that the server serves. Package object has its fields.
	Resource = object.Resource
	// Column describes one column that kubectl get prints.
	Column = object.Column
	// ScalePaths say where an object keeps the numbers that its Scale shows.
	ScalePaths = object.ScalePaths
)

// DefaultResources returns the resources of a server whose Options name none: the built-in
// types that controllers use most, CustomResourceDefinitions among them, and widgets of
// workshop.example.dev as the custom resource. The caller owns the slice.
func DefaultResources() []Resource { return object.DefaultResources() }

// What a Trace is told about watches.
type (
	// FrameInfo describes one frame of a watch.
	FrameInfo = stream.FrameInfo
	// EndReason says why a watch ended.
	EndReason = stream.EndReason
)

const (
	EndTimeout  = stream.EndTimeout  // timeoutSeconds are over: a clean end
	EndClient   = stream.EndClient   // the client disconnected
	EndSlow     = stream.EndSlow     // the client fell too far behind, or did not read to the end
	EndDropped  = stream.EndDropped  // DropWatches
	EndChanged  = stream.EndChanged  // a CustomResourceDefinition was changed or deleted
	EndShutdown = stream.EndShutdown // Close or Shutdown
	EndExpired  = stream.EndExpired  // the version is too old or in the future: an ERROR event
	EndFault    = stream.EndFault    // an injected fault ended it
)

// PipeListener accepts connections within the process. With it any http.Server can share a
// testing/synctest bubble with its clients.
type PipeListener = wire.PipeListener

// NewPipeListener returns a listener without connections. It starts nothing.
func NewPipeListener() *PipeListener { return wire.NewPipeListener() }
