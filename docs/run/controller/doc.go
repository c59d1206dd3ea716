// Command controller is a small controller, written as a reader of this repository would write one.
// It makes the status of each widget say what its spec asks for.
//
//	go run ./fakeapi/serve          # in one terminal
//	go run ./docs/run/controller    # in another: it watches http://127.0.0.1:8001, without -server
//	curl --json '{"metadata":{"name":"web-1"},"spec":{"color":"red"}}' \
//	  http://127.0.0.1:8001/apis/workshop.example.dev/v1/namespaces/default/widgets
//
//	           ┌──────────── informer ───────────┐
//	server ~~▶ │ list, watch  ──▶ cache, handler │ ──key──▶ workqueue ──key──▶ workers
//	   ▲       └──────────────────────┬──────────┘              ▲                │ │
//	   │                              └─────── read by key ─────┼───────────────▶│ │
//	   │                                        failed: later ──┴────────────────┘ │
//	   └──────────────────────── PUT …/status ─────────────────────────────────────┘
//
// controller.go is the controller, and widget.go what it works on. The other files are the program
// around it.
//
// # What is promised
//
// When nothing changes any more and the server accepts writes, the status of each widget fits its
// spec, whatever failed on the way. Each failed write is tried again, later each time, and no write
// is sent without a reason: a controller with nothing to do sends nothing.
//
// No two workers work on one widget at a time. A write is based on the state that the controller
// read: if the server holds a newer one, it refuses with 409 Conflict, so nothing that others wrote
// is lost. After an interrupt, what is queued is still written, for half a minute at most.
//
// The exit code is 0 after an interrupt, and 2 with one sentence on standard error for flags that
// make no sense.
//
// # What is not promised
//
// Not every state of a widget gets a status: of several changes in quick succession, the last one
// counts. The cache may be older than the server, and then a write costs a conflict, which is
// retried like every failure; it does no harm. After a write of its own, a worker waits until the
// cache shows it, but no longer than ten seconds with the write.
//
// # Work in the handler
//
// The same could be done in fewer lines, by writing from the handler itself. The stories in
// testdata play the same input through such a controller and through this one, and show what goes
// wrong: go test -v -run Stories ./docs/run/controller.
package main
