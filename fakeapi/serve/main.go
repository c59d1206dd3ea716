// Command serve runs a fakeapi server for clients outside this process: kubectl, curl, a controller
// under development.
//
//	go run ./fakeapi/serve -addr 127.0.0.1:8001 -kubeconfig fake.json
//	kubectl --kubeconfig fake.json get widgets -w
//
// When it is ready it prints one line with its URL and, with -tls, a second line with the file of
// the certificate that clients have to trust. It runs until SIGTERM or SIGINT; then it ends its
// watches, lets requests finish, and exits with 0. A second signal ends it immediately.
//
// It speaks JSON only. kubectl commands that make objects from their arguments, such as kubectl
// create configmap, send protobuf since version 1.32 and get a 415. They work with --dry-run=client
// -o yaml | kubectl create -f - appended. A typed client of client-go needs
// ContentType: "application/json" in its rest.Config.
//
// It listens on loopback. Every client that can reach it can change its objects and, with -control,
// make it fail, so it refuses any other address unless -token is given. On loopback it answers
// requests for names without a dot, such as localhost, for loopback addresses and for the names
// given by -allow-host. Any other name in the Host header can be that of a web page whose DNS name
// was made to point to this server (DNS rebinding).
//
// With -control, a POST makes the server fail. The next three lists get a 429:
//
//	curl -X POST http://127.0.0.1:8001/fakeapi/inject \
//	  -d '{"kind":"status","verb":"list","count":3,"code":429,"retryAfter":"1s"}'
//
// The JSON has the fields of [example.com/watchglass/fakeapi/fault.Fault] in lower camel case, and
// durations as Go writes them; the kinds are the constants of fault.Kind. The paths
// /fakeapi/compact, /fakeapi/drop, /fakeapi/drop-watches and /fakeapi/heal need no body. The answer
// is 204, or 400 with the error as text.
//
// The exit code is 2 for wrong flags, and 1 for any other failure.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process, as signals do by default
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
