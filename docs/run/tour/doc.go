// Command tour shows an informer at work: what happens to an object between an API server and a
// handler, drawn as lanes, one column a stage, from what the stages' traces report.
//
//	go run ./docs/run/tour            # ten scenes; on a terminal it waits for keys
//	go run ./docs/run/tour -scene 6   # one scene (those before it are played unseen)
//	go run ./docs/run/tour -fast      # all scenes without pauses, as when the output is no terminal
//	go run ./docs/run/tour -svg       # the picture of the README
//
//	api server ~~▶ [ reflector ──▶ deltafifo ──▶ indexer ──▶ processor ──▶ handler ]
//	               everything in brackets reports to the tour, which draws it
//
// # What is promised
//
// Everything that is drawn has happened: each cell comes from a trace, or from the script when it
// does something to the server. A column read downwards is the exact order of events in that stage.
// A cell never stands above its cause: cells about one object follow each other to the right and
// downwards. Each kind of cell is explained when it appears for the first time.
// On a terminal, all that is written between two keys is on the screen together. A picture that is
// higher than the screen is drawn in parts.
//
// The exit code is 0 after the whole tour, after a q and after an interrupt; 1 with one line on
// standard error when the tour cannot be played; 2 with one line for flags that make no sense.
// By then everything that was started has ended, and the terminal has its old settings.
//
// # What is not promised
//
// That rows in different columns happened in the order of the rows: stages work at the same time,
// and between them only cause and effect have an order.
package main
