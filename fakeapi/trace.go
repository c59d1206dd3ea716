package fakeapi

// A Trace is a set of functions that the server calls as things happen, in the
// manner of net/http/httptrace.ClientTrace. Any of them may be nil, which costs
// one comparison.
//
// They are called on the server's own goroutines: Committed in the order of
// resource versions and while the store is locked, so it must neither block nor
// call the server; the others concurrently, from many requests.
type Trace struct {
	// Request: a request was understood and is about to be served.
	Request func(Request)
	// Committed: a write took effect. There is one call per watch event.
	Committed func(Change)
	// Sent: a frame was written to a watcher.
	Sent func(Request, FrameInfo)
	// WatchEnded: a watch is over, and why.
	WatchEnded func(Request, EndReason)
	// Fault: an injected fault is about to take effect on a request. A refused
	// connection (FaultRefuse) has no request and is not traced.
	Fault func(Request, Fault)
}

// A Request describes a request to a Trace.
type Request struct {
	Verb        string // get, list, watch, create, update, patch, delete, deletecollection
	Resource    string // plural name, with the group unless core
	Namespace   string // empty for all namespaces and for cluster-wide resources
	Name        string // empty for collections
	Subresource string // status, scale, finalize, or empty
	Query       string // the query parameters, encoded as the client sent them
}

// A Change is one committed write.
type Change struct {
	Type      string // ADDED, MODIFIED or DELETED
	Resource  string // plural name, with the group unless core
	Namespace string
	Name      string
	Version   uint64 // the resourceVersion of this write
}
