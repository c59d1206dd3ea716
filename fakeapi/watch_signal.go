package fakeapi

import "context"

// A signal notifies many goroutines of something that happens once. It is a context, so
// that context.AfterFunc can call a function when it is given: a goroutine that is blocked
// in a write cannot wait for a channel.
type signal struct {
	context.Context
	give context.CancelFunc
}

func newSignal() signal {
	ctx, give := context.WithCancel(context.Background())
	return signal{ctx, give}
}

// graceAfter gives the client watchGrace, from the first of some signals on, to read the
// frames that were sent to it. Otherwise a client that does not read would keep a stream
// that the server has ended until its timeout. stop has to be called before the handler
// returns.
func (x *stream) graceAfter(signals ...signal) (stop func()) {
	hurry := func() { x.wire.endBy(x.server.graceFromNow()) }
	var stops []func() bool
	for _, s := range signals {
		stops = append(stops, context.AfterFunc(s, hurry))
	}
	return func() {
		for _, stop := range stops {
			stop()
		}
		x.wire.close()
	}
}
