// Command serve runs a fakeapi server for clients outside this process: kubectl, curl, a controller
// under development.
//
//	go run ./fakeapi/serve -addr 127.0.0.1:8001 -kubeconfig fake.json
//	kubectl --kubeconfig fake.json get widgets -w
//
// When it is ready it prints one line with its URL and, if it made a certificate, a second one with
// the file that clients have to trust. It runs until SIGTERM or SIGINT; then it ends its watches,
// lets requests finish, and exits with 0. A second signal ends it at once.
//
// Its wire is JSON. The kubectl commands that make objects up by themselves, such as kubectl create
// configmap, send protobuf since version 1.32 and are answered 415; with --dry-run=client
// -o yaml | kubectl create -f - behind them they work. A typed client of client-go needs
// ContentType: "application/json" in its rest.Config.
//
// It listens on loopback. Every client that can reach it can change its objects and, with -control,
// make it fail, so it refuses any other address unless -token is given. On loopback it answers
// requests for names without a dot, such as localhost, for loopback addresses and for the names
// given by -allow-host: another name in the Host header comes from a web page whose own name was
// made to lead here.
//
// The exit code is 2 for wrong flags, and 1 for what went wrong with good flags.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // from then on signals do what they always do
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
