package main

import (
	"container/list"
	"slices"
	"strings"
)

// recency is a map that knows which keys were touched last: of a thousand objects the page is sent
// a hundred, and these should be the ones that something happens to. The zero value is empty.
type recency[V any] struct {
	at    map[string]*list.Element
	order *list.List // newest first; nil until the first set
}

type recent[V any] struct {
	key   string
	value V
}

// set stores a value and makes its key the newest.
func (r *recency[V]) set(key string, value V) {
	if e, ok := r.at[key]; ok {
		e.Value.(*recent[V]).value = value
		r.order.MoveToFront(e)
		return
	}
	if r.at == nil {
		r.at, r.order = map[string]*list.Element{}, list.New()
	}
	r.at[key] = r.order.PushFront(&recent[V]{key, value})
}

// touch makes a key the newest, if it is there.
func (r *recency[V]) touch(key string) {
	if e, ok := r.at[key]; ok {
		r.order.MoveToFront(e)
	}
}

func (r *recency[V]) get(key string) (value V, ok bool) {
	e, ok := r.at[key]
	if ok {
		value = e.Value.(*recent[V]).value
	}
	return value, ok
}

func (r *recency[V]) remove(key string) {
	if e, ok := r.at[key]; ok {
		r.order.Remove(e)
		delete(r.at, key)
	}
}

func (r *recency[V]) len() int { return len(r.at) }

// newest returns the entries that were touched last, at most n, newest first.
func (r *recency[V]) newest(n int) []*recent[V] {
	entries := make([]*recent[V], 0, min(n, r.len()))
	if r.order == nil {
		return entries
	}
	for e := r.order.Front(); e != nil && len(entries) < n; e = e.Next() {
		entries = append(entries, e.Value.(*recent[V]))
	}
	return entries
}

// sorted is newest in the order of keys.
func (r *recency[V]) sorted(n int) []*recent[V] {
	entries := r.newest(n)
	slices.SortFunc(entries, func(a, b *recent[V]) int { return strings.Compare(a.key, b.key) })
	return entries
}
