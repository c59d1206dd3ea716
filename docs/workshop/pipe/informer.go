package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"

	push "example.com/watchglass/docs/workshop/3_1_push"
	diff "example.com/watchglass/docs/workshop/4_2_diff"
	pump "example.com/watchglass/docs/workshop/5_2_pump"
	process "example.com/watchglass/docs/workshop/6_1_process"
)

// An informer is the whole pipe: what you wrote in 6.1, 4.2 and 5.2 behind the queue.
type informer struct {
	client *http.Client
	url    string
	log    *printer

	mu      sync.Mutex // guards what follows
	cache   process.Cache
	byColor diff.Index
}

// run blocks until ctx ends and everything it started has ended.
func (i *informer) run(ctx context.Context) {
	i.cache, i.byColor = process.Cache{}, diff.Index{}
	calls, out := make(chan string), make(chan string)
	q := newQueue(i.log, i.states)
	r := &reflector{log: i.log, client: i.client, url: i.url, queue: q}
	var running sync.WaitGroup
	running.Go(func() { r.run(ctx) })
	running.Go(func() { pump.Pump(calls, out) })
	running.Go(func() {
		for call := range out {
			i.log.say("handler", "%s", call)
		}
	})
	q.run(ctx, func(key string, deltas []push.Delta) {
		for _, call := range i.process(key, deltas) {
			calls <- call
		}
	}, func() { i.log.say("queue", "synced: the first list has been processed") })
	close(calls)
	running.Wait()
}

// process brings the deltas of a key into cache and index, and returns the handler's calls.
func (i *informer) process(key string, deltas []push.Delta) (calls []string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	var list []process.Delta
	for _, d := range deltas {
		i.log.note("3.1 push", fmt.Sprint(d.Type, " ", version(d.State), " ", d.Tombstone))
		list = append(list, process.Delta{Type: d.Type, Key: key, State: d.State})
	}
	before := colors(i.cache[key])
	for n, told := range i.cache.Process(list) {
		states := strings.TrimSpace(version(told.Old) + " " + version(told.New))
		call := told.Call + " " + states
		i.log.note("6.1 process", call)
		if deltas[n].Tombstone {
			call += " (tombstone)"
		}
		if !told.Resync {
			calls = append(calls, call)
		}
	}
	i.byColor.Update(key, before, colors(i.cache[key]))
	return calls
}

// states returns a copy of the cache.
func (i *informer) states() map[string]string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return maps.Clone(map[string]string(i.cache))
}

// A state is "web-1@3 red".

func version(state string) string {
	v, _, _ := strings.Cut(state, " ")
	return v
}

func colors(state string) []string {
	if _, color, _ := strings.Cut(state, " "); color != "" {
		return []string{color}
	}
	return nil
}
