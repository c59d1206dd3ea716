package fakeapi

// A Trace is a set of functions that the server calls as things happen, in the
// manner of net/http/httptrace.ClientTrace. Any of them may be nil, which costs
// one comparison.
//
// They are called on the server's own goroutines: Committed in the order of
// resource versions and while the store is locked, so it must neither block nor
// call the server; the others from many requests at once.
type Trace struct {
	// Request: a request was understood and is about to be served.
	Request func(Request)
	// Committed: a write took effect. There is one call per watch event.
	Committed func(Change)
	// Sent: a frame was written to a watcher.
	Sent func(Request, FrameInfo)
	// WatchEnded: a watch is over, and why.
	WatchEnded func(Request, EndReason)
	// Fault: an injected fault is about to take effect.
	Fault func(Request, Fault)
}

// A Request is what a trace learns of a request.
type Request struct {
	Verb        string // get, list, watch, create, update, patch, delete, deletecollection
	Resource    string // plural name, with the group unless core
	Namespace   string // empty for all namespaces and for cluster-wide resources
	Name        string // empty for collections
	Subresource string // status, scale, eviction, finalize, or empty
	Query       string // as it came
}

// A Change is one committed write.
type Change struct {
	Type      string // ADDED, MODIFIED or DELETED
	Resource  string // plural name, with the group unless core
	Namespace string
	Name      string
	Version   uint64 // the resourceVersion it got
}

// A FrameInfo describes one frame of a watch.
type FrameInfo struct {
	Type    string // ADDED, MODIFIED, DELETED, BOOKMARK or ERROR
	Name    string // empty for bookmarks and errors
	Version uint64 // resourceVersion of the object in it; 0 for errors
	Bytes   int
}

// An EndReason says why a watch ended.
type EndReason string

// The reasons for which a watch ends.
const (
	EndTimeout  EndReason = "timeout"  // timeoutSeconds are over: a clean end
	EndClient   EndReason = "client"   // the client went away
	EndSlow     EndReason = "slow"     // it fell too far behind, or did not read its last events
	EndDropped  EndReason = "dropped"  // DropWatches
	EndChanged  EndReason = "changed"  // a CustomResourceDefinition was changed or deleted
	EndShutdown EndReason = "shutdown" // Close or Shutdown
	EndExpired  EndReason = "expired"  // too old a version: an ERROR event, then the end
	EndFault    EndReason = "fault"    // an injected fault ended it
)
