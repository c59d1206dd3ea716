// Package step1 asks for the list every second, and tells its handler how the list
// differs from the one before.
package step1

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Flags are those of the step.
var Flags = flag.NewFlagSet("step 1", flag.ContinueOnError)

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
	Items []object
}

type informer struct {
	client *http.Client
	out    io.Writer
	known  map[string]object
}

// Run follows the collection until ctx ends or a request fails.
func Run(ctx context.Context, client *http.Client, out io.Writer) error {
	i := &informer{client: client, out: out, known: map[string]object{}}
	for {
		l, err := i.list(ctx)
		if err != nil {
			return err
		}
		i.replace(l)
		if !pause(ctx, time.Second) {
			return ctx.Err()
		}
	}
}

// replace compares a list with what is known, calls the handler for each difference, and keeps the
// list.
func (i *informer) replace(l list) {
	listed := map[string]bool{}
	for _, o := range l.Items {
		listed[o.name()] = true
		i.set(o)
	}
	for name, o := range i.known {
		if !listed[name] {
			i.remove(o)
		}
	}
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

// pause waits, and returns false if ctx ends first.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
