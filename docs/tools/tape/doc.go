// Package tape is a whole informer that can be watched from outside, and the tapes that stories
// leave on it. The live page, the tour, the replays of the site and the picture of the README are
// made of tapes.
//
//	r := tape.NewRecorder(t, tape.OpenSource())
//	played, err := r.Play("informer/testdata/01_first_list_and_sync.story")
//
//	fakeapi ~~▶ V1 ~~▶ [ reflector ──▶ queue ──▶ V2 ──▶ indexer, processor ] ──▶ V3, V4 … handlers
//	   └──────────── traces ────────────────┴──────────────┴──────▶ collector ──▶ events
//
// # How it works
//
// The machine (machine.go) is the real one: a fakeapi server, the client of package client, a
// shared informer. What the stages' traces report becomes events (collector.go; server.go, queue.go
// and others), each with a number and with the state of the whole machine after it. Valves
// (valve.go) are wrapped around the body of a watch (wire.go), the queue's Pop and each handler
// (handler.go); they do nothing but wait, so what piles up behind them is the machinery's own
// backpressure. Buttons act on it (do.go), and stories do (command.go).
//
// A [Recorder] plays a story in virtual time (record.go): in a bubble of testing/synctest the clock
// stands still while anything can go on. Whatever the scheduler does, the tape has the same bytes
// (collector.go), if the story takes less than five minutes: from then on, the server ends watches
// at times that the reflector has chosen at random. What go test prints of a story (command.go), a
// [Lesson] with its beats and its question, the tour of a terminal, the picture of the README and
// the scenes of the book are all made of tapes.
//
// Only a running test may open a bubble. A test gives itself to the recorder, and a program runs
// inside of one ([InTest]).
//
// # What travels
//
// One object is one mark, wherever it is: in the history of the server, before and behind valve V1,
// in the hand of the reflector, in the queue, in the hand of the process loop, in the cache, in the
// slots of the rings, in the hand of a handler. An event says from where to where it moves it. The
// model holds each of these, and a test follows every object of every scenario: what an event moves
// was in the place that it leaves, and is in the place that it comes to.
//
// # What is promised
//
// The order of the numbers is the order in which the stages reported, under one lock; the state of
// an event is complete, and no other report came between the change and it. The line of source is
// the one that acted: the call stack of the report says which function did it, and a table which of
// its statements (acts.go). A test finds each of them in the source as it is, so the table cannot
// get out of date. Nothing here serves HTTP, and only a [Source] reads files.
//
// # What is not promised
//
// That the machine behaves as it would without being looked at: each report takes a moment, and
// stages that would run at the same time wait for each other that long. Deltas leave the queue in
// the picture when they are popped, although the queue keeps them until they are processed.
package tape
