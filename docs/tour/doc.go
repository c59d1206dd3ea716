// Command tour shows an informer at work: what happens to an object between an API server and a
// handler, drawn as lanes, one column a stage, from what the stages' traces report.
//
//	go run ./docs/tour          # a scripted life against a fake API server, about 15 seconds
//	go run ./docs/tour -fast    # the same without pauses
//	go run ./docs/tour -server http://127.0.0.1:8001 -resource /api/v1/pods
//	                            # a real API server, here behind kubectl proxy
//
//	api server ~~▶ [ reflector ──▶ deltafifo ──▶ indexer ──▶ processor ──▶ handler ]
//	               everything in brackets reports to the tour, which draws it
//
// # What is promised
//
// Nothing is drawn that did not happen. Every cell comes from a call of a trace, or is an answer
// that the server gave; the tour knows how to lay cells out and nothing about what stages do. A
// column read downwards is the exact order of events in that stage. A cell never stands above what
// caused it: cells about one object are connected, from left to right and downwards.
//
// The exit code is 0 after the whole tour, after -n events and after an interrupt; 1 with one
// sentence on standard error when the server cannot be watched; 2 with one sentence for flags that
// make no sense. Everything that was started has ended by then.
//
// # What is not promised
//
// That rows far apart in different columns happened in the order of the rows: stages work at the
// same time, and between them only cause and effect have an order. Against a real server, times
// and batches are that server's, and the column of the API server shows only its answers.
package main
