// Package step2 lists once, and then watches: the server sends each change as it
// happens.
package step2

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
)

// Flags are those of the step.
var Flags = flag.NewFlagSet("step 2", flag.ContinueOnError)

var collection = Flags.String("url",
	"http://127.0.0.1:8001/apis/workshop.example.dev/v1/namespaces/default/widgets",
	"follow the objects of the collection at this `URL`")

// An object has the fields that are read here. In one namespace its name is unique.
type object struct {
	Metadata struct {
		Name, ResourceVersion string
	}
}

func (o object) name() string    { return o.Metadata.Name }
func (o object) version() string { return o.Metadata.ResourceVersion }
func (o object) String() string  { return o.name() + "@" + o.version() }

type list struct {
	Metadata struct{ ResourceVersion string }
	Items    []object
}

// An event is what a watch brings.
type event struct {
	Type   string // ADDED, MODIFIED, DELETED
	Object object
}

type informer struct {
	client *http.Client
	out    io.Writer
	known  map[string]object
}

// Run follows the collection until ctx ends, a request fails or the watch is over.
func Run(ctx context.Context, client *http.Client, out io.Writer) error {
	i := &informer{client: client, out: out, known: map[string]object{}}
	l, err := i.list(ctx)
	if err != nil {
		return err
	}
	for _, o := range l.Items {
		i.set(o)
	}
	return i.watch(ctx, l.Metadata.ResourceVersion)
}

// set makes an object known.
func (i *informer) set(o object) {
	old, known := i.known[o.name()]
	i.known[o.name()] = o
	switch {
	case !known:
		i.handle("added", o)
	case old.version() != o.version():
		i.handle("updated", o)
	}
}

// remove forgets an object.
func (i *informer) remove(o object) {
	delete(i.known, o.name())
	i.handle("deleted", o)
}

// handle is where a program would do its work.
func (i *informer) handle(what string, o object) {
	fmt.Fprintln(i.out, what, o)
}

// list asks for the whole collection.
func (i *informer) list(ctx context.Context) (l list, err error) {
	body, err := i.get(ctx, "")
	if err != nil {
		return l, err
	}
	defer body.Close()
	err = json.NewDecoder(body).Decode(&l)
	return l, err
}

// watch asks for the changes after a version, and takes them in until there are no more.
func (i *informer) watch(ctx context.Context, version string) error {
	body, err := i.get(ctx, "?watch=true&resourceVersion="+version)
	if err != nil {
		return err
	}
	defer body.Close()
	for events := json.NewDecoder(body); ; {
		var e event
		if err := events.Decode(&e); err != nil {
			return fmt.Errorf("the watch ended: %w", err)
		}
		if e.Type == "DELETED" {
			i.remove(e.Object)
		} else {
			i.set(e.Object)
		}
	}
}

// get sends a request and returns the body of the answer, which the caller closes.
func (i *informer) get(ctx context.Context, query string) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, "GET", *collection+query, nil)
	if err != nil {
		return nil, err
	}
	response, err := i.client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		response.Body.Close()
		return nil, fmt.Errorf("the server answers %s", response.Status)
	}
	return response.Body, nil
}
