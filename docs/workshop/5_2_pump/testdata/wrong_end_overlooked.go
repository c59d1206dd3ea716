// Fails: TestTheSenderNeverWaitsForTheReceiver
// A receive from a closed channel gives zero values without end: the loop keeps them all, until memory is used up.

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
	for {
		// A send on a nil channel is never ready. So with nothing to send, that case is off.
		var to chan<- string
		var next string
		if len(waiting) > 0 {
			to, next = out, waiting[0]
		}
		select {
		case v := <-in:
			waiting = append(waiting, v)
		case to <- next:
			waiting = waiting[1:]
		}
	}
}
