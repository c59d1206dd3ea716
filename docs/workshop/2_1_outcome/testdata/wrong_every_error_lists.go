// Fails: TestNext/a refused connection costs no list
// When in doubt, list: the result is always right. But lists of all clients bring a server down.

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

// Next decides what follows on the end of a watch. The first case that fits counts:
//
//   - Status 410, of a refusal or of an ERROR event: the server has forgotten what came after our
//     version. List, after a wait.
//   - No connection; or status 429, of a refusal or of an ERROR event: this says nothing about our
//     version. Watch again, after a wait.
//   - Any other status: perhaps our version is the reason. List, after a wait.
//   - A stream that lived for less than a second and brought no event: the next one would probably
//     end in the same way. List, after a wait.
//   - Any other stream: all streams end some time. Watch again, without a wait.
func Next(e End) Action {
	switch {
	case e.Status == 410:
		return Action{List: true, Wait: true}
	case e.Status == 429, e.Status == 0 && !e.Opened:
		return Action{List: true, Wait: true}
	case e.Status != 0:
		return Action{List: true, Wait: true}
	case e.Lived < time.Second && e.Events == 0:
		// Without this case a server that ends every watch immediately would be asked thousands of times
		// a second.
		return Action{List: true, Wait: true}
	}
	return Action{List: false, Wait: false}
}
