// Package store is the heart of the server: objects with versions, their recent history, and
// watches. It is what etcd and the watch cache are to a real API server. It knows neither HTTP nor
// JSON: an object has a key, a version and a size, and is opaque otherwise.
//
//	Update ──▶ version 42 ──┬──▶ index     what every key holds now
//	GuaranteedUpdate        └──▶ history   a window on the chain of events
//	                                         │
//	   … ──▶ event 40 ──▶ event 41 ──▶ event 42 ──▶ (the next one)
//	      ▲            ▲                         ▲
//	    cursor      cursor                    cursors     one for each watcher
//
// # One sequence, one window, one chain
//
// One sequence. Every write of any collection takes the next version. That makes
// versions comparable: "everything up to 42" has a meaning for all objects together,
// and a list has one version although it shows many objects.
//
// One window. The store remembers the last events of all collections together, as many as Limits
// allow. A watch that starts in the past is sent those of its collection, and a read of the past
// undoes them. Older events are forgotten: a watch or a read from before the window gets a
// TooOldError, and the client has to list again.
//
// One chain. Each event points to the next. All watchers of a collection read along the same chain,
// each at its own pace. A write appends one event and wakes every watcher that waits at the end. No
// watcher has a queue: a write copies nothing for any of them, and a slow watcher delays neither a
// writer nor another watcher.
//
// # Four words
//
// A watch has four parts, and four words for them:
//
//   - A start is where a watch begins: a version, and, if the client wants it,
//     the state at that version, which is sent first. See WatchFrom and WatchState.
//   - A cursor is the link after the last event that a watch has passed. It starts at
//     the start's version and moves along the chain.
//   - A watcher is the store's side of a watch: it owns the cursor, and the
//     collection knows it, so that it can be cut off when the cursor falls too
//     far behind the end of the chain. See Watcher.
//   - A stream is the other side, and is not in this package: it takes events
//     from a watcher and writes frames to a client. See package stream.
//
// # What it promises
//
// Writes are linearizable. An Update has the store to itself, and every read that
// starts after it has returned sees what it committed.
//
// Reads are snapshots, and no write waits for a reader. A Snapshot is taken in
// constant time under the shared lock, and is read without any lock, for as long as
// the reader likes. The first write after it copies the list of objects, not the objects.
//
// Nothing is lost between a read and a watch. A watch that starts at the version
// of a snapshot gets every later event of the collection once, in order.
//
// Memory is bounded: by Limits for the history of all collections, and by the same limits for what
// slow watchers, and slow readers of snapshots, can keep alive beyond it. A timer forgets what is
// too old, also if no further request comes.
//
// # What it does not promise
//
// No rollback: what a write has put stays, even if the write returns an error.
//
// # Reading order
//
//	store.go    the sequence, the lock, and the two ways to write
//	read.go     snapshots of the present and of the past
//	history.go  the window: what is remembered, and where a watch starts
//	event.go    one link of the chain, and what it means to a selection
//	watcher.go  joining, reading along, falling behind, leaving
package store
