// Pods prints the pods of a cluster that a selector matches, and what becomes of them. Before it,
// start kubectl proxy, or go run ./fakeapi/serve:
//
//	go run ./docs/run/pods -l app=web
//
// Two parts of it need pods. Both ask one factory, so there is one list, one watch and one cache:
// the first prints changes, and the second looks into the cache when a namespace is deleted. It
// hears of that from a plain informer: one handler, and no processor.
package main

import (
	"context"
	"flag"
	"io"
	"log"
	"strings"
	"sync"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/informer"
	"example.com/watchglass/informer/factory"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector/client"
)

func main() { program.Main("pods", run) }

// A pod has the fields that are read here: the others are not decoded. So has a namespace.
type pod struct {
	watchglass.ObjectMeta `json:"metadata"`
	Status                struct {
		Phase string `json:"phase"`
	} `json:"status"`
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("pods", flag.ContinueOnError)
	server := flags.String("server", "http://127.0.0.1:8001", "the API server at this `URL`")
	labels := flags.String("l", "", "only pods that this `selector` matches: app=web,!canary")
	err := program.Parse(flags, args, "Prints pods, and what becomes of them.", stdout)
	if err != nil {
		return err
	}
	chosen, err := informer.ParseSelector(*labels)
	if err != nil {
		return program.Misuse("-l: %w", err)
	}
	at := func(path string) client.Options {
		return client.Options{URL: strings.TrimRight(*server, "/") + path}
	}
	return show(ctx, at, chosen, log.New(stdout, "", 0))
}

// show prints until ctx ends. at returns where a collection is.
func show(
	ctx context.Context, at func(path string) client.Options, chosen informer.Selector,
	out *log.Logger,
) error {
	options := informer.Options{
		WatchErrorHandler: func(err error) { out.Print("trying again: ", err) },
	}
	shared := factory.New(factory.Options{Collection: at, Informer: options})
	changes, err := printChanges(shared, chosen, out)
	if err != nil {
		return err
	}
	namespaces, err := newNamespaces(shared, at("/api/v1/namespaces"), options, chosen, out)
	if err != nil {
		return err
	}
	var running sync.WaitGroup
	running.Go(func() { _ = shared.Run(ctx) })
	running.Go(func() { _ = namespaces.Run(ctx) })
	if informer.WaitForSync(ctx, changes, namespaces) == nil {
		out.Print("That is all there is. Now what changes:")
	}
	running.Wait()
	return nil
}

// printChanges adds a handler that prints pods. To it, a pod that no longer matches is gone.
func printChanges(
	shared *factory.Factory, chosen informer.Selector, out *log.Logger,
) (informer.Syncer, error) {
	pods, err := factory.Of[pod](shared, "/api/v1/pods")
	if err != nil {
		return nil, err
	}
	return pods.AddEventHandler(informer.Handler[*pod]{
		Selector: chosen,
		Add: func(p *pod, _ bool) {
			out.Printf("%s/%s is %s", p.Namespace, p.Name, p.Status.Phase)
		},
		Update: func(old, p *pod) {
			if was := old.Status.Phase; was != p.Status.Phase {
				out.Printf("%s/%s was %s, is %s", p.Namespace, p.Name, was, p.Status.Phase)
			}
		},
		Delete: func(d informer.Deletion[*pod]) { out.Print(d.Key, " is gone") },
	}, processor.HandlerOptions{})
}

// newNamespaces returns a plain informer, which prints how many pods a namespace still has that is
// being deleted.
func newNamespaces(
	shared *factory.Factory, collection client.Options, options informer.Options,
	chosen informer.Selector, out *log.Logger,
) (*informer.Controller, error) {
	pods, err := factory.Of[pod](shared, "/api/v1/pods") // the informer of printChanges
	if err != nil {
		return nil, err
	}
	watched, err := client.New[pod](collection)
	if err != nil {
		return nil, err
	}
	options.ListerWatcher = watched
	_, controller := informer.NewInformer(options, processor.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, obj watchglass.Object) {
			n := obj.(*pod)
			if n.Status.Phase != "Terminating" || !pods.HasSynced() { // an empty cache means nothing yet
				return
			}
			left := pods.Lister().Namespace(n.Name).Select(chosen).List()
			out.Printf("namespace %s is being deleted, and has %d of these pods", n.Name, len(left))
		},
	})
	return controller, nil
}
