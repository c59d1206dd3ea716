// Package faults is the atlas of faults: what a fault between server and client does to the
// informers of client-go and of Watchglass. It has only data and tests.
//
//	go test ./docs/tools/faults                  # plays every fault to an informer of Watchglass
//	STORY=rewrite go test ./docs/tools/faults    # and writes down what it did, and the page
//
// faults.txt has one block for each fault: in words, and what followed in client-go and Watchglass.
// Of calls, errors and lines of the log that did not come there is no line. client-go's lines are
// data. They were measured once, over loopback, with the version and on the date at the head of the
// file; no program of this module imports client-go. Watchglass's lines are proved: a scripted
// server (server_test.go) plays each fault (scripts_test.go) over real HTTP in a bubble, where time
// is exact, and the test compares each request with its time, the calls of the handler and the
// errors. Connections are pipes. What only a kernel can do, as to drop a SYN or to reset, is done
// by a connection that returns that error.
//
// The tables of docs/h-faults.md are made of the file, but for their last column, which says what a
// user notices.
package faults
