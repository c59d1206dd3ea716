// Package pump is exercise 5.2 of the workshop: between a fast sender and a slow handler.
package pump

// Pump receives values from in and sends them to out, in their order, until in is closed and
// everything has been sent. Then it closes out and returns.
//
// It never makes the sender wait for the receiver: while the receiver is busy, Pump keeps the
// values, however many. It holds no memory for what was sent long ago, or may come one day.
func Pump(in <-chan string, out chan<- string) {
	panic("TODO")
}
