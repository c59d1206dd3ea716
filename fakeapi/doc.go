// Package fakeapi is a Kubernetes API server in one process: the other end of the
// wire. It speaks list, watch and CRUD over HTTP as the real one does, errors,
// bookmarks, expired versions and selector transitions included, so that
// everything above it is exercised by real requests, and any client (kubectl,
// client-go, curl) can be pointed at it.
//
//	         ┌──────────────────────────── fakeapi ────────────────────────────┐
//	HTTP ──▶ │ wire_* ──▶ write_* ──▶ fakeapi/store ─────▶ watch*, read_*      │ ──▶ HTTP
//	Go API ─▶│ (route,    (decide,    (versions, history,  (streams and lists, │
//	         │  refuse)    compute)    chain of events)     as bytes)          │
//	         └─────────────────────────────────────────────────────────────────┘
//
// Smallest use:
//
//	server := fakeapi.New(fakeapi.Options{})
//	defer server.Close()
//	server.Create("widgets", `{"metadata":{"name":"web-1"},"spec":{"color":"red"}}`)
//	resp, err := server.Client().Get(fakeapi.URL + "/apis/workshop.example.dev/v1/widgets")
//
// Client leads in through memory, Serve and ServeTLS through a listener.
//
// # What it promises
//
// One sequence. Every write, of whatever resource, takes the next
// resourceVersion. Writes are linearizable; a list without resourceVersion shows
// every write acknowledged before, and is a consistent cut.
//
// Nothing is lost between list and watch. A watch from a list's version gets
// every later event of its selection once, in order of versions, or is told in
// the stream that the version is too old. History is kept as Options say.
//
// A slow watcher harms itself only. All watchers read one chain of events, each
// at its own pace; one that falls too far behind is cut off. Writes never wait
// for a watcher.
//
// Requests do not wait for each other's work. A patch is computed on a snapshot
// and computed again if another write of its object comes first; selectors are
// evaluated on snapshots, too. The store is locked for microseconds only.
//
// Documents are never copied. An object is encoded once, when it is written.
// Lists and watches send those bytes.
//
// Memory is bounded by what is stored, by Options.HistoryCount and by
// Options.HistoryBytes, also with watchers that do not read.
//
// The clock is package time's. In a testing/synctest bubble, with the server
// made inside it and reached through Client, timeouts, bookmarks and the age of
// history are virtual.
//
// No request brings it down. What one may cost is bounded, on all ways in: the size
// of its body, the operations of a JSON patch and the list elements that a patch moves
// or merges (413), the terms of a selector (400), the mistakes that a client is told of
// and what is quoted of each value, the length of Warning headers, and how much larger
// indenting may make an answer. A body has a minute to come, an answer two to be read,
// an idle connection is closed after 90 seconds. Host, origin and token are looked at
// before anything whose cost grows with the request. Pages of other origins in the
// user's browser change nothing, and read nothing where Options.AllowHosts is set.
//
// What a definition says is served. A CustomResourceDefinition counts from the
// write that stores it: its versions, names, subresources, columns and
// selectable fields are there for the next request, and change and go with it.
// A definition of a custom resource that Options name takes its place. When a
// definition changes, the watches of its objects end; clients open them again.
//
// Namespaces are there. default, kube-system, kube-public and kube-node-lease
// exist from the start, at resourceVersion 1, so the first write still gets 2.
// A namespace that is deleted takes its content along, in the same request
// unless a finalizer holds some of it. Objects may be created in a namespace
// that does not exist, unless Options.RequireNamespaces is set.
//
// Close waits. When it returns, no goroutine that the server started is left,
// and all streams have ended.
//
// Nothing is shared, not even a type, with the client side of this module: a bug
// cannot hide on both ends of the wire.
//
// # Where to read
//
// How does the server side of a watch work? Open store/doc.go first: it says what
// a version, the history, the chain and a watcher are, and in which order to read
// the files beside it. Second watch.go: from the request to the end of a stream.
// Third watch_send.go: what is sent, and in which frame.
//
// How does a write work? write_update.go computes what becomes of an object, and
// store.GuaranteedUpdate compares, commits or starts again.
//
// Packages of their own, which know nothing of this one, are fakeapi/store,
// fakeapi/patch (merge, JSON and strategic patches), fakeapi/selector (labels and
// fields) and fakeapi/printer (the columns of kubectl get). Here, the files are
// named by topic: watch (streams, their frames and clocks), write, read (get and
// list), object (documents and metadata), resource and crd (what is served), wire
// (HTTP, forms, errors), discovery, fault (what can be made to go wrong).
//
// # What it does not promise
//
// No storage: the state is gone with the process. No stale reads: a real server
// may answer resourceVersion=0 from a cache that lags, this one is always up to
// date. No validation beyond metadata and CustomResourceDefinitions: objects are
// any JSON with Kubernetes metadata. Built-in types get the defaults that clients
// rely on. The schemas of definitions are kept and shown, not enforced. No managed
// fields: a fieldManager is checked and forgotten. No controllers: deployments
// have no pods, and nothing collects the dependents of a deleted owner. Only
// namespaces and definitions end with their content. No admission, no users, no
// conversion between versions but of apiVersion. Access reviews answer that
// everything is allowed; one optional token is all that is checked.
//
// No server-side apply: a PATCH of that type is answered 415. No protobuf, no
// CBOR, no YAML: a client that accepts JSON as well gets JSON, others get 406;
// bodies in these formats are answered 415. No aggregated discovery and no
// OpenAPI 2: clients fall back to the plain documents and to OpenAPI 3, where
// only the schemas of definitions say more than "an object".
//
// Of the groups of a real server there are the core group, apps, coordination,
// discovery, events, authentication, authorization and apiextensions, each with
// the types in [DefaultResources]. The others are missing unless Options.Resources
// has them: batch, networking.k8s.io, policy, rbac.authorization.k8s.io,
// autoscaling, storage.k8s.io, and in apps the stateful sets and daemon sets.
// There is no aggregation layer (apiregistration.k8s.io).
//
// Of the subresources there are status, scale, the eviction of pods and the
// finalize of namespaces. Missing are log, exec, attach, portforward, proxy,
// binding, ephemeralcontainers and resize of pods, proxy of services and nodes,
// and token of service accounts.
//
// # What Go clients must set
//
// Typed clients of client-go send protobuf unless they are told not to:
//
//	config := &rest.Config{Host: url}
//	config.ContentType = "application/json" // or creates and updates are answered 415
//
// Dynamic and metadata clients send JSON anyway. So does kubectl in create -f,
// apply, patch and edit. kubectl create configmap and its like send protobuf
// since 1.32; kubectl create configmap … --dry-run=client -o yaml | kubectl create
// -f - does the same in JSON.
package fakeapi
