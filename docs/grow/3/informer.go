// Package step3 watches again when a watch is over, from the last version it has seen.
package step3

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Flags are those of the step.
var Flags = flag.NewFlagSet("step 3", flag.ContinueOnError)

var collection = Flags.String("url",
	"http://127.0.0.1:8001/apis/workshop.example.dev/v1/namespaces/default/widgets",
	"follow the objects of the collection at this `URL`")

// An object has the fields that are read here. In one namespace its name is unique.
type object struct {
	Metadata struct {
		Name, ResourceVersion string
	}
	Code int // of the Status in an ERROR event
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
	Type   string // ADDED, MODIFIED, DELETED, ERROR
	Object object
}

type informer struct {
	client  *http.Client
	out     io.Writer
	known   map[string]object
	version string // up to here everything has been seen; "" before a list
}

// errGone says that the server has forgotten the events after the version of a watch.
var errGone = errors.New("410 Gone")

// Run follows the collection until ctx ends.
func Run(ctx context.Context, client *http.Client, out io.Writer) error {
	i := &informer{client: client, out: out, known: map[string]object{}}
	for ctx.Err() == nil {
		err := i.follow(ctx)
		fmt.Fprintln(out, "trying again:", err)
		if errors.Is(err, errGone) {
			i.version = ""
		}
		pause(ctx, time.Second)
	}
	return ctx.Err()
}

// follow lists if there is no version to watch from, and then watches.
func (i *informer) follow(ctx context.Context) error {
	if i.version == "" {
		l, err := i.list(ctx)
		if err != nil {
			return err
		}
		for _, o := range l.Items {
			i.set(o)
		}
		i.version = l.Metadata.ResourceVersion
	}
	return i.watch(ctx)
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

// watch asks for the changes after the version, and takes them in until there are no more.
func (i *informer) watch(ctx context.Context) error {
	body, err := i.get(ctx, "?watch=true&resourceVersion="+i.version)
	if err != nil {
		return err
	}
	defer body.Close()
	for events := json.NewDecoder(body); ; {
		var e event
		if err := events.Decode(&e); err != nil {
			return fmt.Errorf("the watch ended: %w", err)
		}
		switch {
		case e.Type == "ERROR" && e.Object.Code == http.StatusGone:
			return errGone
		case e.Type == "ERROR":
			return fmt.Errorf("the server ends the watch with code %d", e.Object.Code)
		case e.Type == "DELETED":
			i.remove(e.Object)
		default:
			i.set(e.Object)
		}
		i.version = e.Object.version()
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

// pause waits, and returns false if ctx has ended before.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
