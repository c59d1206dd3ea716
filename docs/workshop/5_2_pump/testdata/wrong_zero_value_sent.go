// Fails: TestAPumpWithNothingToDoIsAtRest
// Without the nil channel, the send case is always on, even if nothing waits.

// Package pump is exercise 5.2 of the workshop: between a fast sender and a slow handler.
package pump

// Pump receives values from in and sends them to out, in their order, until in is closed and
// everything has been sent. Then it closes out and returns.
//
// It never makes the sender wait for the receiver: while the receiver is busy, Pump keeps the
// values.
func Pump(in <-chan string, out chan<- string) {
	defer close(out)
	var waiting []string
	for in != nil || len(waiting) > 0 {
		// A send on a nil channel is never ready. So with nothing to send, that case is off.
		to := out
		var next string
		if len(waiting) > 0 {
			next = waiting[0]
		}
		select {
		case v, ok := <-in:
			if !ok {
				in = nil // a closed channel is always ready: the loop would spin
				continue
			}
			waiting = append(waiting, v)
		case to <- next:
			waiting = waiting[min(1, len(waiting)):]
		}
	}
}
