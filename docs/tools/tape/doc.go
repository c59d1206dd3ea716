// Package tape runs a whole informer that reports each of its steps, and records the stories that
// are played on it. A recording is a tape. The live page, the tour, the scenes of the book and the
// picture of the README show tapes.
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
// (handler.go). A valve only waits, as a slow client or a slow handler would. Buttons (do.go) and
// stories (command.go) act on the machine.
//
// A [Recorder] plays a story in virtual time (record.go): in a bubble of testing/synctest the clock
// stands still while a goroutine can run. Whatever the scheduler does, the tape has the same bytes
// (collector.go), if the story takes less than five minutes: from then on, the server ends watches
// at times that the reflector has chosen at random. What go test prints of a story (command.go), a
// [Lesson] with its beats and its question, and the pictures of a story are all made from its tape.
//
// Only a running test may open a bubble. A test passes its testing.TB to the recorder. A program
// has to start a test first ([InTest]).
//
// # What travels
//
// One object is one mark, wherever it is: in the history of the server, before and behind valve V1,
// at the reflector, in the queue, at the process loop, in the cache, in the slots of the rings, in
// the call of a handler. An event names the place that an object leaves and the place that it
// enters. The model has all these places. A test follows every object of every scenario: before the
// event it is in the first place, and after the event in the second.
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
// That reports have no effect: each takes a moment, and stages that would run at the same time wait
// for each other that long. Deltas leave the queue in the picture when they are popped, although
// the queue keeps them until they are processed.
package tape
