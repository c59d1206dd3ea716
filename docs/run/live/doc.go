// Command live opens a page on which an informer runs: server, wire, reflector, queue, cache,
// listeners and handlers, each in its place. The reader can hold any stage, let one event through,
// break things with buttons, and see which line of source acted.
//
//	go run ./docs/run/live                 # ten lessons, and a fake API server to break things on
//	go run ./docs/run/live -queue RealFIFO # with the ordered queue
//	go run ./docs/run/live -story informer/testdata/06_a_dropped_watch_resumes_without_a_list.story
//	go run ./docs/run/live -story FILE -export FILE.html # its recording in one file, without server
//	go run ./docs/run/live -server http://127.0.0.1:8001 -resource /api/v1/pods
//
//	fakeapi ~~▶ V1 ~~▶ [ reflector ──▶ queue ──▶ V2 ──▶ indexer, processor ] ──▶ V3, V4 … handlers
//	   └──────────── traces ────────────────┴──────────────┴──────▶ collector ──▶ page
//
// # How it works
//
// The machine (machine.go) is the real one: a fakeapi server, the client of package wire, a shared
// informer. What the stages' traces report becomes events (collector.go, trace_*.go), each with a
// number and with the state of the whole machine after it. Valves (valve.go) are wrapped around
// the body of a watch (wire.go), the queue's Pop and each handler (handler.go); they do nothing but
// wait, so what piles up behind them is the machinery's own backpressure.
//
// The page is a reflector itself: GET /state is its list, GET /events its watch, in pieces, and the
// number of an event its resourceVersion. The log of events is bounded; a page that has fallen too
// far behind is told that they are gone (410), and lists again (serve.go, collector.go).
//
// The page begins with lessons (lessons.go): scenes that the machine has played, each from a story.
// A page that is read needs a clock that stands still meanwhile, and only a test has one, the
// bubble of testing/synctest. So the program makes itself a test when it begins (export.go), and
// plays all stories in virtual time, in less than a second. The page replays these recordings: what
// really happened, from before the first event. With -story that story is the only scene. The last
// tab is a machine that runs in real time and can be acted on. It begins when it is looked at.
// The address of a moment is #scene,event,theme, where event is a number, words of it or "proof".
// Without the module's source there are no lessons.
//
// The prose of a story's act comes with its last command: the caption never speaks of what is not
// drawn. With "ask first" the page asks before each fault.
//
// # What travels
//
// One object is one mark, wherever it is: in the history of the server, before and behind valve V1,
// in the hand of the reflector, in the queue, in the hand of the process loop, in the cache, in the
// slots of the rings, in the hand of a handler. An event says from where to where it moves it. The
// model holds each of these, and a test follows every object of every scenario: what an event moves
// was in the place that it leaves, and is in the place that it comes to. The page describes places
// and pipes once (PLACES in stage.js), and draws, lights and moves objects by that.
//
// # What is promised
//
// Nothing is shown that was not reported. The order of the numbers is the order in which the stages
// reported, under one lock; the state of an event is complete, and no other report came between the
// change and it. The line of source that is shown is the one that acted: the call stack of the
// report says which function did it, and a table which of its statements (acts.go). A test finds
// each of them in the source as it is, so the table cannot get out of date. A page that is slow or
// gone holds up nothing.
//
// Only programs on this machine can connect, and web pages of other origins can neither read nor
// press (serve.go). A real server is only read.
//
// # What is not promised
//
// That the machine behaves as it would without being looked at: each report takes a moment, and
// stages that would run at the same time wait for each other that long. Deltas leave the queue in
// the picture when they are popped, although the queue keeps them until they are processed.
package main
