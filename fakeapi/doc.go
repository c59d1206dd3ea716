// Package fakeapi is a Kubernetes API server in one process: the other end of the wire. It speaks
// list, watch and CRUD over HTTP as the real one does, errors, bookmarks, expired versions and
// selector transitions included, so that everything above it is exercised by real requests, and any
// client (kubectl, client-go, curl) can be pointed at it.
//
//	HTTP ──▶ wire ──▶ fakeapi ──▶ registry ──▶ store ──▶ stream ──▶ the frames of a watch
//	                  ▲           (the rules)   (versions, history,
//	         Go API ──┘                          chain of events)
//	                                               │
//	                                               └──▶ encode ──▶ an object or a list
//
// Smallest use:
//
//	server := fakeapi.New(fakeapi.Options{})
//	defer server.Close()
//	server.Create("widgets", `{"metadata":{"name":"web-1"},"spec":{"color":"red"}}`)
//	resp, err := server.Client().Get(fakeapi.URL + "/apis/workshop.example.dev/v1/widgets")
//
// Client reaches the server in memory; Serve and ServeTLS accept connections from a listener.
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
// A slow watcher delays only itself. All watchers read one chain of events, each at its own pace;
// one that falls too far behind is cut off. Writes never wait for a watcher.
//
// No request holds the store's lock while it computes. Selectors are evaluated on snapshots. The
// store is locked for microseconds only.
//
// One request computes at a time, the smallest of those that wait first (object.Turns). To compute
// is to decode: each write does so, and each row of a table. Reads of objects and lists, and
// watches that show the objects themselves, send bytes that are there, and need no turn.
//
// Documents are never copied. An object is encoded once, when it is written. Whatever shows it
// sends those bytes, and small ones around them.
//
// Memory is bounded by what is stored and by Options.HistoryBytes, for all resources together, also
// with clients that do not read their watches and answers: the server breaks off those that keep
// more alive. After Options.HistoryAge without a write there is no history any more. Lists and
// tables are written object by object, also if they are indented.
//
// The clock is package time's. In a testing/synctest bubble, with the server made inside it and
// reached through Client, timeouts, bookmarks and the age of history are virtual.
//
// Hostile clients do not bring the server down. A header, with the URL in it, has at most 16 KiB
// (in a real server 1 MiB), a body 3 MiB, and each has 10 seconds to arrive. A selector has at most
// 250 terms. More get a 431, 413 or 400. An answer has 70 seconds to be read. Until then, a request
// that is not a watch has one of 600 places (wire.Places). If none is free, it gets a 429 with
// Retry-After. A connection of HTTP/2 may have eight of these places for reads, and one for writes.
// Its further reads wait, and so do fifteen writes; more writes get a 429. So a client that drips
// its bodies, or does not read, keeps only itself waiting.
//
// What 64 hostile clients with a hundred streams each cost, make hostile prints. An honest client's
// small request waits for one computation, which takes most of a second for the largest bodies, and
// for a processor. On two processors, which the hostile clients use as well, it is answered within
// two seconds, and the server stays under 1 GB.
//
// Every request ends. What is not a watch has one minute, or less if the parameter timeout says so,
// and then gets 504; a computation that has begun is finished. A client has 70 seconds to read an
// answer; an idle connection is closed after 90 seconds.
//
// Definitions take effect immediately. The write that stores a CustomResourceDefinition also starts
// to serve it: its version, names, subresources, columns and selectable fields are there for the
// next request. Its changes and its deletion take effect in the same way. A definition replaces a
// custom resource of the same name in Options. When a definition changes, the watches of its
// objects end; clients open them again.
//
// Namespaces are objects. default, kube-system, kube-public and kube-node-lease exist from the
// start, at resourceVersion 1, so the first write still gets 2. Deleting a namespace deletes its
// content, in the same request unless a finalizer keeps some of it. Objects may be created in a
// namespace that does not exist, unless Options.RequireNamespaces is set.
//
// With Options.CollectGarbage, a deletion reaches the dependents of the object (ownerReferences):
// they are deleted soon after it in the background, before it in the foreground, or lose their
// reference (orphan). An object whose owner never existed is deleted, too, as in a real cluster. So
// the test of a controller finds out that the controller has made such an object.
//
// It fails where a test aims. A [Fault] names verb, resource, subresource, namespace, object and
// client, so that the others are served. [FaultLost] stores a write and loses the answer: the
// controller has to find out. Server.Requests says how often a verb was used.
//
// Close waits. When it returns, no goroutine that the server started is left,
// and all streams have ended.
//
// The client side of this module shares nothing with this package, not even a type:
// a bug cannot hide on both ends of the wire.
//
// # Where to read
//
// To learn how lists and watches work, read three things in this order, and nothing else first:
// package store (its doc.go says in which order), package stream, and the function watch in
// read.go, which connects a request to them.
//
// What happens to a POST? ServeHTTP in handler.go routes it (route.go) to create in write.go. The
// body becomes a tree (object/decode.go), registry/create.go decides and stores it as a document
// (object/document.go), and encode/encoder.go makes the answer.
//
// How does a watch begin? ServeHTTP in handler.go calls watch in read.go, and stream.Watch.Serve
// begins: start in stream/stream.go joins the chain of events (store/watcher.go) and then sends
// the headers.
//
// What happens when a client reads slowly? Its events wait in the chain. tooFarBehind in
// store/watcher.go decides when it is cut off. Then a write that is blocked fails (abort, set in
// join of stream/stream.go), and the stream ends. An answer that is not read is broken off by
// limitAnswer in handler.go: after 70 seconds, or when it keeps too much alive (Pin in
// store/watcher.go).
//
// Where does a 410 come from? From TooOldError in store/history.go. Refusal in
// object/selection.go makes a 410 of it, which a watch sends as an ERROR event (fail in
// stream/stream.go). For a list, Page in registry/catalog.go answers 410 in its place.
//
// Where is a verb added? In the table verbs in handler.go, with its constant and the lists of
// Verbs for discovery in object/type.go; verbFor in route.go says which requests mean it. Reads
// are in read.go, writes in write.go and patch.go. What becomes of an object is computed in
// registry, with a file for each write.
//
// The packages below are object (types of objects, documents, selectors, patches), status (the
// answers to requests that fail), registry, store, stream, encode (what clients are shown), and
// wire (HTTP without verbs and objects). None of them imports this one. Injected failures are in
// fault*.go here.
//
// Tests stand in the package whose promise they test. What only a client can see, such as the
// frames of a watch, is tested here, over HTTP.
//
// # What it does not promise
//
// No storage: the state ends with the process. No stale reads: a real server may answer
// resourceVersion=0 from a cache that lags, this one is always up to date. No validation beyond
// metadata and CustomResourceDefinitions: objects are any JSON with Kubernetes metadata. Only the
// well-known fields of built-in types must have the right JSON types, so that typed clients can
// decode them, and a pod keeps its node. Built-in types get the defaults that clients rely on. The
// schemas of definitions are kept and shown, not enforced. Strict validation
// finds unknown fields of the metadata, and no duplicate ones. No managed fields: a fieldManager is
// ignored. No controllers: deployments have no pods. Without Options.CollectGarbage there is no
// garbage collector either: the dependents of a deleted owner stay, and the finalizers orphan and
// foregroundDeletion stay until a client removes them. No admission, no users, no access reviews. A
// resource has one version. The only check of a client is one optional token.
//
// No server-side apply: a PATCH of that type is answered 415. No protobuf, no CBOR, no YAML: a
// client that accepts JSON as well gets JSON, others get 406; bodies in these formats are answered
// 415. No aggregated discovery and no OpenAPI 2: clients fall back to the plain documents and to
// OpenAPI 3, where only the schemas of definitions say more than "an object".
//
// Of the groups of a real server there are the core group, apps, coordination, discovery, events
// and apiextensions, each with the types in [DefaultResources]. The events of v1 and those of
// events.k8s.io/v1 are two resources here: in a real server, each shows the objects of the other.
// The others are missing unless Options.Resources has them: batch, networking.k8s.io, policy,
// authorization.k8s.io, authentication.k8s.io, rbac.authorization.k8s.io, autoscaling,
// storage.k8s.io, and in apps the stateful sets and daemon sets. There is no aggregation layer
// (apiregistration.k8s.io).
//
// Of the subresources there are status, scale and the finalize of namespaces. Missing are log,
// exec, attach, portforward, proxy, eviction, binding, ephemeralcontainers and resize of pods,
// proxy of services and nodes, and token of service accounts.
//
// # What Go clients must set
//
// Typed clients of client-go send protobuf unless they are told not to:
//
//	config := &rest.Config{Host: url}
//	config.ContentType = "application/json" // or creates and updates are answered 415
//
// Dynamic and metadata clients send JSON anyway. So does kubectl in create -f, apply, patch and
// edit. kubectl create configmap and its like send protobuf since 1.32; kubectl create configmap …
// --dry-run=client -o yaml | kubectl create -f - does the same in JSON. kubectl drain deletes pods
// in protobuf, also with --dry-run=server; with --dry-run=client it works.
package fakeapi
