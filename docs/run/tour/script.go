package main

import (
	"context"
	"slices"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/words"
	"example.com/watchglass/informer"
	"example.com/watchglass/processor"
)

// scene is one part of the script: it does something to the server or the informer, waits until all
// stages are at rest, and draws what the traces have reported meanwhile.
type scene struct {
	name string
	why  string // what to expect, and why
	do   func(ctx context.Context, s *stage) error
	live string // the tab of the live page that shows the same; "" if none does
	rest []want // the last reports of the lanes: after them all stages are at rest
}

// fast and slow are the names of the two handlers.
const (
	fast = "fast"
	slow = "slow"
)

var script = []scene{
	{
		name: "the informer starts",
		live: "first list",
		why: "Three services exist already. The reflector lists them, and each goes through the " +
			"queue into the cache and to the handler, which is called fast. Then the reflector opens " +
			"a watch: a response that stays open, on which the server sends every change from now on.",
		do: func(_ context.Context, s *stage) error {
			s.running.Go(func() { _ = s.informer.Run(s.ctx) }) // an error only for a second run
			return nil
		},
		rest: []want{
			{reflecting, "watch opened"}, {queueing, "synced"},
			{handling, "added db-1"}, {handling, "added web-1"}, {handling, "added web-2"},
		},
	},
	{
		name: "web-3 is created",
		live: "an update",
		why: "A client creates a service. The informer does not ask for it: the server sends one " +
			"event on the open watch, and the object goes through every stage to the handler.",
		do:   func(_ context.Context, s *stage) error { return s.create("web-3") },
		rest: []want{{apiServer, "sends web-3"}, {handling, "added web-3"}},
	},
	{
		name: "web-1 is updated",
		live: "an update",
		why: "The queue notes what happened to web-1, the indexer replaces the old object with the " +
			"new one, and the handler is given both.",
		do:   func(_ context.Context, s *stage) error { return s.update("web-1") },
		rest: []want{{apiServer, "sends web-1"}, {handling, "updated web-1"}},
	},
	{
		name: "web-3 is deleted",
		live: "an update",
		why:  "The event carries the last state of the object, and the handler is given that state.",
		do:   func(_ context.Context, s *stage) error { return s.delete("web-3") },
		rest: []want{{apiServer, "sends web-3"}, {handling, "deleted web-3"}},
	},
	{
		name: "the watch ends, and web-2 changes before there is a new one",
		why: "No watch stays open for ever. The reflector asks for a new one, from the last version " +
			"that it has seen. The server still has the changes after that version, and sends them. " +
			"So nothing is lost, and nothing is listed again.",
		do:   missAnUpdate,
		rest: []want{{reflecting, "watch opened"}, {handling, "updated web-2"}},
	},
	{
		name: "the watch ends again, web-2 is deleted, and the server forgets its history",
		live: "a lost deletion",
		why: "Now the last version that the reflector has seen is too old. The server accepts the " +
			"watch, says so in its first and only frame, and ends it. So the reflector lists. web-2 is " +
			"in the cache and not in the list, so it must have been deleted: the queue makes a " +
			"tombstone in place of the event that was missed. db-1 and web-1 are in the list. They " +
			"have not changed, but the handler gets an OnUpdate for each all the same.",
		do: missADeletion,
		rest: []want{
			{reflecting, "watch opened"}, {reflecting, "watch opened"}, // the first one failed
			{apiServer, "watch ended: expired"}, {handling, "deleted tombstone of web-2"},
			{handling, "updated db-1"}, {handling, "updated web-1"},
		},
	},
	{
		name: "a second handler, called slow, joins late",
		live: "a late handler",
		why: "It gets an OnAdd for each object in the cache. They come from the cache alone: there is " +
			"no request to the API server, and fast is not called again.",
		do:   joinLate,
		rest: []want{{handling, "slow added db-1"}, {handling, "slow added web-1"}},
	},
	{
		name: "web-1 changes three times, while slow is stuck in its first OnUpdate",
		live: "a slow handler",
		why: "Each handler has a queue of its own, and that queue has no limit. So a slow handler " +
			"delays only itself: fast gets all three updates. slow has returned from each OnAdd, but not " +
			"from OnUpdate for web-1@10.",
		do: overtake,
	},
	{
		name: "slow returns from its first OnUpdate",
		live: "a slow handler",
		why: "Its OnUpdate for web-1@10 has ended. Now it gets the two updates that were waiting for " +
			"it, in order. None is left out.",
		do:   func(_ context.Context, s *stage) error { s.call.open(); return nil },
		rest: []want{{handling, "slow updated web-1"}, {handling, "slow updated web-1"}},
	},
	{
		name: "the informer stops",
		live: "stop and start",
		why: "It stops in the direction in which objects travel: first the watch, then the stages, " +
			"last the handlers. Run returns when everything that it started has ended.",
		do: func(_ context.Context, s *stage) error { s.stop(); return nil },
		rest: []want{
			{apiServer, "watch ended: client"}, {reflecting, "stopped"},
			{handling, "fast has ended"}, {handling, "slow has ended"},
		},
	},
}

// missAnUpdate changes an object while there is no watch.
func missAnUpdate(ctx context.Context, s *stage) error {
	return s.withoutWatch(ctx, func() error { return s.update("web-2") })
}

// missADeletion does the same with a deletion. By the time of the next watch, the server has
// forgotten its history.
func missADeletion(ctx context.Context, s *stage) error {
	return s.withoutWatch(ctx, func() error {
		err := s.delete("web-2")
		s.api.Compact()
		s.seen.saw(apiServer, words.Compacted())
		return err
	})
}

// joinLate adds the second handler and waits until its calls have returned: the traces report when
// calls begin, but the next scene must not find the handler in the middle of one.
func joinLate(ctx context.Context, s *stage) error {
	var err error
	s.slow, err = s.informer.AddEventHandler(processor.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, _ watchglass.Object) { _ = s.call.pass(s.ctx) },
	}, informer.HandlerOptions{Name: slow})
	if err != nil {
		return err
	}
	select {
	case <-s.slow.Synced():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// overtake updates an object and waits for the fast handler each time, so that the slow one is
// called for the first update and then falls behind.
func overtake(ctx context.Context, s *stage) error {
	s.call.close()
	for i := range 3 {
		if err := s.update("web-1"); err != nil {
			return err
		}
		rest := slices.Repeat([]want{{handling, "fast updated web-1"}}, i+1)
		rest = append(rest, want{handling, "slow updated web-1"})
		if err := s.seen.await(ctx, rest...); err != nil {
			return err
		}
	}
	if err := s.seen.until(ctx, func() bool { return s.slow.Pending() > 1 }); err != nil {
		return err
	}
	s.seen.saw(processing, words.Pending(slow, s.slow.Pending()))
	return nil
}
