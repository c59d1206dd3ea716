package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"

	frames "example.com/watchglass/docs/workshop/1_2_frames"
	outcome "example.com/watchglass/docs/workshop/2_1_outcome"
	backoff "example.com/watchglass/docs/workshop/2_2_backoff"
	push "example.com/watchglass/docs/workshop/3_1_push"
	keys "example.com/watchglass/docs/workshop/4_1_keys"
)

// A reflector is what you wrote in 1.2, 2.1 and 2.2, with HTTP and JSON around it.
type reflector struct {
	client *http.Client
	url    string
	queue  *queue
	log    *printer

	version string // the last one seen, "" before the first list
	backoff backoff.Backoff
}

// object is what the pipe reads of an object.
type object struct {
	Metadata struct {
		Namespace, Name, ResourceVersion string
	}
	Spec struct{ Color string }
}

// state writes an object as the exercises do: its name and its version. The color follows, for the
// index.
func (o object) state() string {
	return fmt.Sprintf("%s@%s %s", o.Metadata.Name, o.Metadata.ResourceVersion, o.Spec.Color)
}

// run lists and watches until ctx ends. Exercise 2.1 decides what comes next.
func (r *reflector) run(ctx context.Context) {
	next := outcome.Action{List: true}
	for ctx.Err() == nil {
		if next.Wait && !r.pause(ctx) {
			return
		}
		if next.List {
			if err := r.list(ctx); err != nil {
				if outer, ok := errors.AsType[*url.Error](err); ok {
					err = outer.Err // the outer one repeats the URL
				}
				r.log.say("reflector", "list failed: %v", err)
				next = outcome.Action{List: true, Wait: true}
				continue
			}
		}
		end := r.watch(ctx)
		if ctx.Err() != nil {
			return
		}
		next = outcome.Next(end)
		r.log.note("2.1 outcome", describe(end, next))
		if !next.Wait {
			r.backoff = backoff.Backoff{}
		}
		r.log.say("reflector", "%s", describe(end, next))
	}
}

// pause waits as long as 2.2 says. It returns false if ctx has ended.
func (r *reflector) pause(ctx context.Context) bool {
	delay := r.backoff.Failed(rand.Float64(), 0)
	r.log.say("reflector", "pauses for %v", delay.Round(100*time.Millisecond))
	select {
	case <-time.After(delay):
		return true
	case <-ctx.Done():
		return false
	}
}

func (r *reflector) list(ctx context.Context) error {
	query := url.Values{}
	if r.version != "" {
		query.Set("resourceVersion", r.version)
	}
	body, err := r.get(ctx, query)
	if err != nil {
		return err
	}
	defer body.Body.Close()
	if body.StatusCode != http.StatusOK {
		return errors.New(body.Status)
	}
	var list struct {
		Metadata struct{ ResourceVersion string }
		Items    []object
	}
	if err := json.NewDecoder(body.Body).Decode(&list); err != nil {
		return err
	}
	states := map[string]string{}
	for _, o := range list.Items {
		key, err := keys.Key(o.Metadata.Namespace, o.Metadata.Name)
		if err != nil {
			return err
		}
		states[key] = o.state()
	}
	r.version = list.Metadata.ResourceVersion
	r.log.say("reflector", "listed at version %s, objects: %d", r.version, len(states))
	if gone := r.queue.replace(states); gone > 0 {
		r.log.say("reflector", "known objects that are not in the list: %d (tombstones)", gone)
	}
	return nil
}

// watch opens a watch, and queues its events until it ends.
func (r *reflector) watch(ctx context.Context) (end outcome.End) {
	began := time.Now()
	defer func() { end.Lived = time.Since(began) }()
	body, err := r.get(ctx, url.Values{
		"watch": {"true"}, "resourceVersion": {r.version}, "allowWatchBookmarks": {"true"},
	})
	if err != nil {
		return end
	}
	defer body.Body.Close()
	if body.StatusCode != http.StatusOK {
		end.Status = body.StatusCode
		return end
	}
	end.Opened = true
	r.log.say("reflector", "watch from version %s", r.version)
	for reader := frames.NewReader(body.Body); ; end.Events++ {
		frame, err := reader.Next()
		if err != nil {
			r.log.note("1.2 frames", "end")
			return end
		}
		if end.Status = r.event(frame); end.Status != 0 {
			return end
		}
	}
}

// event queues one event. It returns the status of an ERROR event, else 0.
func (r *reflector) event(frame string) (status int) {
	var e struct {
		Type   string
		Object struct {
			object
			Code int // of an ERROR
		}
	}
	if json.Unmarshal([]byte(frame), &e) != nil {
		return http.StatusInternalServerError
	}
	if e.Type == "ERROR" {
		return max(e.Object.Code, 1)
	}
	o := e.Object.object
	r.version = o.Metadata.ResourceVersion
	types := map[string]string{"ADDED": "Added", "MODIFIED": "Updated", "DELETED": "Deleted"}
	key, err := keys.Key(o.Metadata.Namespace, o.Metadata.Name)
	if t := types[e.Type]; t != "" && err == nil {
		r.log.say("reflector", "%s %s", e.Type, o.state())
		r.log.note("1.2 frames", e.Type+" "+version(o.state()))
		r.queue.event(key, push.Delta{Type: t, State: o.state()})
	}
	return 0
}

func (r *reflector) get(ctx context.Context, query url.Values) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, "GET", r.url+"?"+query.Encode(), nil)
	if err != nil {
		return nil, err
	}
	return r.client.Do(request)
}

func describe(end outcome.End, next outcome.Action) string {
	what := "the watch has ended"
	switch {
	case end.Status != 0:
		what = fmt.Sprintf("status %d", end.Status)
	case !end.Opened:
		what = "no connection"
	}
	then := "watch again"
	if next.List {
		then = "list"
	}
	if next.Wait {
		then += ", after a pause"
	}
	return what + ": " + then
}
