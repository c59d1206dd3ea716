// Command tour prints the lessons of the live page on a terminal: what happens between an API
// server and a handler, drawn as lanes, one column a stage. Each lesson asks a question, and then
// shows the events that answer it.
//
//	go run ./docs/run/tour               # ten lessons; on a terminal it waits for Enter
//	go run ./docs/run/tour -scene 5      # one of them
//	go run ./docs/run/tour -story relist # a story of the informer, by a part of its name, or a file
//	go run ./docs/run/tour -fast         # without pauses, as when the output is no terminal
//
// Package tape plays the stories, and package picture prints them.
//
// # What is promised
//
// Everything that is drawn has happened: each cell is an event of a tape. A column read downwards
// is the exact order of events in that stage. A cell never stands above its cause: cells about one
// object follow each other to the right and downwards. Each kind of cell is explained when it
// appears for the first time. On a terminal, everything written between two waits fits on the
// screen. A picture that is higher than the screen is drawn in parts.
//
// The exit code is 0 after the whole tour, after a q and after an interrupt; 1 with one line on
// standard error when a story cannot be played; 2 with one line for invalid flags.
//
// # What is not promised
//
// That rows in different columns happened in the order of the rows: stages work at the same time,
// and between them only cause and effect have an order.
package main
