// Fails: TestTheSenderNeverWaitsForTheReceiver
// A channel with a large buffer. It holds until the day on which it is not large enough.

// Package pump is exercise 5.2 of the workshop: between a fast sender and a slow handler.
package pump

// Pump receives values from in and sends them to out, in their order, until in is closed and
// everything has been sent. Then it closes out and returns.
//
// It never makes the sender wait for the receiver: while the receiver is busy, Pump keeps the
// values.
func Pump(in <-chan string, out chan<- string) {
	defer close(out)
	buffer := make(chan string, 1000)
	go func() {
		defer close(buffer)
		for v := range in {
			buffer <- v
		}
	}()
	for v := range buffer {
		out <- v
	}
}
