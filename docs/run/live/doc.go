// Command live shows an informer at work: server, wire, reflector, queue, cache, listeners and
// handlers, each in its place. The reader can hold any stage, let one event through, break things
// with buttons, and see which line of source acted.
//
// In a browser it is the program of the book: the page in static runs it as WebAssembly, in a
// worker (main_js.go, static/program.js), with lessons, a fake API server to break things on, and
// the stories of all stages to change and play. make live opens that page.
//
// On this machine it is a server of the same page, for what a browser cannot do, which is to read a
// cluster:
//
//	go run ./docs/run/live -server http://127.0.0.1:8001 -resource /api/v1/pods
//	go run ./docs/run/live -kubeconfig config.json -queue RealFIFO
//
// # How it works
//
// Package tape has the machine, with its valves and buttons, and makes the tapes of the lessons.
// The page asks the program as it would ask a server, and gets the same answers (serve.go).
//
// The page is a reflector itself: GET /state is its list, GET /events its watch, in pieces, and the
// number of an event its resourceVersion. The log of events is bounded; a page that has fallen too
// far behind is told that they are gone (410), and lists again.
//
// A lesson is a tape with beats: a step leads from one to the next, each with a sentence of its
// own, and the question comes before the beat that answers it. Of other events the page says what
// the legend of package tape says. A stage (static/stage.js) is the player of one tape: it is given
// an element, the places that it shows (static/places.js) and the beats, and knows of no other
// stage. A reader can take a lesson over: its story is played up to the event that is shown, on a
// machine that plays at the pace of a reader: its time stands still while events wait to be shown.
// The last tab is a machine on which nothing was played. The address of a moment is #scene,event,
// where event is words of it or "proof"; with #scene,event,take it is taken over there.
//
// What is said, the places and the controls each keep their height, so that the button that steps
// stays where it is. Where there is room for two places only, these are the one that acts and its
// neighbour (static/fit.css).
//
// # What is promised
//
// Nothing is shown that was not reported, and a page that is slow or gone holds up nothing. Only
// programs on this machine can connect, and web pages of other origins can neither read nor press
// (package program). A real server is only read.
package main
