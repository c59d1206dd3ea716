// Command live opens a page on which an informer runs: server, wire, reflector, queue, cache,
// listeners and handlers, each in its place. The reader can hold any stage, let one event through,
// break things with buttons, and see which line of source acted.
//
//	go run ./docs/run/live                 # ten lessons, and a fake API server to break things on
//	go run ./docs/run/live -queue RealFIFO # with the ordered queue
//	go run ./docs/run/live -story informer/testdata/06_a_dropped_watch_resumes_without_a_list.story
//	go run ./docs/run/live -server http://127.0.0.1:8001 -resource /api/v1/pods
//
// # How it works
//
// Package tape has the machine, with its valves and buttons, and makes the tapes of the lessons; this
// program serves them to the page, which lies in static.
//
// The page is a reflector itself: GET /state is its list, GET /events its watch, in pieces, and the
// number of an event its resourceVersion. The log of events is bounded; a page that has fallen too
// far behind is told that they are gone (410), and lists again (serve.go).
//
// The page begins with lessons, which are tapes: what really happened, from before the first event.
// With -story that story is the only scene. The last tab is a machine that runs in real time and can
// be acted on. It begins when it is looked at. The address of a moment is #scene,event,theme, where
// event is a number, words of it or "proof".
//
// A lesson is a tape with beats: a step leads from one to the next, each with a sentence of its own,
// and the question comes before the beat that answers it. Of other events the page says what the
// legend of package words says. A stage (static/stage.js) is the player of one tape: it is given an
// element, the places that it shows (static/places.js) and the beats, and knows of no other stage.
//
// # What is promised
//
// Nothing is shown that was not reported, and a page that is slow or gone holds up nothing. Only
// programs on this machine can connect, and web pages of other origins can neither read nor press
// (package program). A real server is only read.
package main
