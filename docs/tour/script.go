package main

import "context"

// step is one scene: something is done to the machinery, and everybody waits until it has come to
// rest. What is drawn then is what the traces have reported meanwhile.
type step struct {
	name string
	why  string // one sentence
	do   func(ctx context.Context, s *stage) error
	rest []want // the last words of each lane that is concerned
}

// fast and slow are the names of the two handlers.
const (
	fast = "fast"
	slow = "slow"
)

var script = []step{
	{
		name: "the informer starts",
		why: "Three services exist already: the reflector lists them once, every stage takes them " +
			"in, and then it opens a watch that is meant to last.",
		do: func(_ context.Context, s *stage) error { s.start(); return nil },
		rest: []want{
			{reflecting, "watch opened"}, {queueing, "synced"},
			{handling, "OnAdd db-1"}, {handling, "OnAdd web-1"}, {handling, "OnAdd web-2"},
		},
	},
	{
		name: "web-3 is created",
		why: "Nobody has to ask: the server sends one frame down the open watch, and the object " +
			"travels through every stage to the handler.",
		do:   func(ctx context.Context, s *stage) error { return s.create(ctx, "web-3") },
		rest: []want{{apiServer, "▸ ADDED"}, {handling, "OnAdd web-3"}},
	},
	{
		name: "web-1 is updated",
		why: "The queue notes what happened to web-1, the cache replaces the old object by the new " +
			"one, and the handler is given both.",
		do:   func(ctx context.Context, s *stage) error { return s.update(ctx, "web-1") },
		rest: []want{{apiServer, "▸ MODIFIED"}, {handling, "OnUpdate web-1"}},
	},
	{
		name: "web-3 is deleted",
		why: "The frame brings the last state along, so the handler is told what it was that has " +
			"gone.",
		do:   func(ctx context.Context, s *stage) error { return s.delete(ctx, "web-3") },
		rest: []want{{apiServer, "▸ DELETED"}, {handling, "OnDelete web-3"}},
	},
	{
		name: "the watch ends, and web-2 changes before there is a new one",
		why: "Nothing is lost and nothing is listed again, because the new watch begins right after " +
			"the last version that the reflector has seen.",
		do:   missAnUpdate,
		rest: []want{{reflecting, "watch opened"}, {handling, "OnUpdate web-2"}},
	},
	{
		name: "the same again, but web-2 is deleted and the server forgets its history",
		why: "The version to resume from is too old now (410 Gone), so the reflector lists, the queue " +
			"finds that web-2 is missing, and a tombstone goes round in place of the lost deletion.",
		do: missADeletion,
		rest: []want{
			{reflecting, "watch opened"}, {reflecting, "watch opened"}, // the first one failed
			{apiServer, "watch expired"}, {handling, "OnDelete web-2 (a tombstone)"},
			{handling, "OnUpdate db-1"}, {handling, "OnUpdate web-1"},
		},
	},
	{
		name: "a second handler, called slow, joins late",
		why: "It is told what is in the cache, as if that had just been added, and the API server " +
			"does not even notice.",
		do:   joinLate,
		rest: []want{{handling, "slow OnAdd db-1"}, {handling, "slow OnAdd web-1"}},
	},
	{
		name: "web-1 changes three times, while slow hangs in its first call",
		why: "Each handler has a queue of its own that grows as it must, so a slow one delays " +
			"nobody but itself.",
		do: overtake,
	},
	{
		name: "slow comes back",
		why:  "What has waited for it is told now, in order and complete.",
		do:   func(_ context.Context, s *stage) error { s.call.open(); return nil },
		rest: []want{{handling, "slow OnUpdate web-1"}, {handling, "slow OnUpdate web-1"}},
	},
	{
		name: "the informer stops",
		why: "It stops from the source to the end, and returns when everything it has started is " +
			"over.",
		do: func(_ context.Context, s *stage) error { s.stop(); return nil },
		rest: []want{
			{apiServer, "client left"}, {reflecting, "stopped"},
			{handling, "fast ended"}, {handling, "slow ended"},
		},
	},
}

// missAnUpdate ends the watch, and holds the request for the next one up until something has
// happened that no watch has seen.
func missAnUpdate(ctx context.Context, s *stage) error {
	s.way.held.close()
	defer s.way.held.open()
	s.api.DropWatches()
	if err := s.seen.await(ctx, want{reflecting, "watch from"}); err != nil {
		return err
	}
	return s.update(ctx, "web-2")
}

// missADeletion does the same, and worse: when the request gets through, it asks for a past that
// the server no longer knows.
func missADeletion(ctx context.Context, s *stage) error {
	s.way.held.close()
	defer s.way.held.open()
	s.api.DropWatches()
	if err := s.seen.await(ctx, want{reflecting, "watch from"}); err != nil {
		return err
	}
	if err := s.delete(ctx, "web-2"); err != nil {
		return err
	}
	s.api.Compact()
	s.seen.report(apiServer, "", "history gone")
	return nil
}

// joinLate adds the second handler and waits until its calls have returned: when they begin is
// reported, but the next scene must not find it in the middle of one.
func joinLate(ctx context.Context, s *stage) error {
	if err := s.join(slow, s.hangInCall); err != nil {
		return err
	}
	select {
	case <-s.registration[slow].Synced():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// overtake updates an object and waits for the fast handler each time, so that the slow one is
// called once and then falls behind.
func overtake(ctx context.Context, s *stage) error {
	s.call.close()
	var told []want
	for range 3 {
		if err := s.update(ctx, "web-1"); err != nil {
			return err
		}
		told = append(told, want{handling, "fast OnUpdate web-1"})
		rest := append([]want{{handling, "slow OnUpdate web-1"}}, told...)
		if err := s.seen.await(ctx, rest...); err != nil {
			return err
		}
	}
	behind := s.registration[slow]
	if err := s.seen.until(ctx, func() bool { return behind.Pending() > 1 }); err != nil {
		return err
	}
	s.seen.report(processing, "", "slow: %d wait", behind.Pending())
	return nil
}
