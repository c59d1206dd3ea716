// Package outcome is exercise 2.1 of the workshop: a watch is over. What now?
package outcome

import "time"

// An End says how a watch came to its end.
type End struct {
	// Opened says that the server answered 200 and a stream of events began. If it is false, the
	// request was refused with Status, or there was no connection at all and Status is 0.
	Opened bool
	// Status is the code of a refusal, or of an ERROR event in the stream; 0 if there was neither.
	Status int
	Events int           // how many events the stream brought
	Lived  time.Duration // from the request to the end
}

// An Action is what the reflector does next.
type Action struct {
	List bool // list everything again; otherwise watch again, from the last version seen
	Wait bool // wait for the backoff first
}

// Next decides what follows on the end of a watch. Four rules lead to each decision:
//
//   - List only if watching on may miss changes, or may end in the same way forever: a list of
//     everything is the most expensive request there is.
//   - Status 410 says that the server has forgotten what came after our version. Status 429, or no
//     connection, says nothing about our version. Behind any other status our version may be the
//     reason. All this holds for a refusal and for an ERROR event alike.
//   - A stream that ended without an ERROR event is bad if it lived for less than a second and
//     brought no event: watched again, it would probably end in the same way. If only one of the
//     two holds, or none, it was a good stream: all streams end some time.
//   - Only after a good stream there is no wait.
func Next(e End) Action {
	panic("TODO")
}
