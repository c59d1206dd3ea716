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
// Client reaches the server in memory; Serve and ServeTLS accept connections from a
// listener.
//
// # What it promises
//
// One sequence. Every write, to any resource, takes the next
// resourceVersion. Writes are linearizable; a list without resourceVersion shows
// every write acknowledged before, and is a consistent cut.
//
// Nothing is lost between list and watch. A watch from a list's version gets
// every later event of its selection once, in order of versions, or an ERROR event
// with code 410 if that version is too old. Options say how much history is kept.
//
// A slow watcher delays only itself. All watchers read one chain of events, each
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
// Options.HistoryBytes, also with clients that do not read their watches and lists: the
// server breaks off those that keep too much alive. Lists, tables and indented JSON
// are written object by object.
//
// The clock is package time's. In a testing/synctest bubble, with the server
// made inside it and reached through Client, timeouts, bookmarks and the age of
// history are virtual.
//
// No request brings the server down. The cost of a request is bounded: the size
// of its body, the operations of a JSON patch and the list elements that a patch moves
// or merges (413), the terms of a selector (400), the number of errors in an answer and
// the length of each value that it quotes, the length of Warning headers, and how much
// larger indenting may make an answer. A client has one minute to send a body and two
// to read an answer; an idle connection is closed after 90 seconds. Host, origin and
// token are checked before any work that grows with the request. Web pages of other
// origins in the user's browser cannot write, and cannot read if Options.AllowHosts
// is set.
//
// Definitions take effect immediately. The write that stores a
// CustomResourceDefinition also starts to serve it: its versions, names,
// subresources, columns and selectable fields are there for the next request. Its
// changes and its deletion take effect in the same way. A definition replaces a custom
// resource of the same name in Options. When a definition changes, the watches of its
// objects end; clients open them again.
//
// Namespaces are objects. default, kube-system, kube-public and kube-node-lease
// exist from the start, at resourceVersion 1, so the first write still gets 2.
// Deleting a namespace deletes its content, in the same request unless a finalizer
// keeps some of it. Objects may be created in a namespace that does not exist,
// unless Options.RequireNamespaces is set.
//
// Close waits. When it returns, no goroutine that the server started is left,
// and all streams have ended.
//
// The client side of this module shares nothing with this package, not even a type:
// a bug cannot hide on both ends of the wire.
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
// Four packages below this one work without it: fakeapi/store, fakeapi/patch (merge, JSON
// and strategic patches), fakeapi/selector (labels and fields) and fakeapi/printer (the
// columns of kubectl get). Here, the files are named by topic: watch (streams, their
// frames and clocks), write, read (get and list), object (documents and metadata),
// resource and crd (what is served), wire (HTTP, forms, errors), discovery, fault
// (failures that can be injected).
//
// # What it does not promise
//
// No storage: the state ends with the process. No stale reads: a real server
// may answer resourceVersion=0 from a cache that lags, this one is always up to
// date. No validation beyond metadata and CustomResourceDefinitions: objects are
// any JSON with Kubernetes metadata. Built-in types get the defaults that clients
// rely on. The schemas of definitions are kept and shown, not enforced. No managed
// fields: a fieldManager is checked and not stored. No controllers: deployments
// have no pods, and the dependents of a deleted owner stay. Only namespaces and
// definitions are deleted together with their content. No admission, no users, no
// access reviews, no conversion between versions except of apiVersion. The only check of
// a client is one optional token.
//
// No server-side apply: a PATCH of that type is answered 415. No protobuf, no
// CBOR, no YAML: a client that accepts JSON as well gets JSON, others get 406;
// bodies in these formats are answered 415. No aggregated discovery and no
// OpenAPI 2: clients fall back to the plain documents and to OpenAPI 3, where
// only the schemas of definitions say more than "an object".
//
// Of the groups of a real server there are the core group, apps, coordination,
// discovery, events and apiextensions, each with the types in [DefaultResources]. The others are
// missing unless Options.Resources
// has them: batch, networking.k8s.io, policy, authorization.k8s.io,
// authentication.k8s.io, rbac.authorization.k8s.io, autoscaling, storage.k8s.io, and in apps the
// stateful sets and daemon sets.
// There is no aggregation layer (apiregistration.k8s.io).
//
// Of the subresources there are status, scale and the finalize of namespaces. Missing
// are log, exec, attach, portforward, proxy, eviction, binding, ephemeralcontainers and
// resize of pods, proxy of services and nodes,
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
