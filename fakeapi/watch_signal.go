package fakeapi

import "context"

// A signal tells many goroutines of something that happens once. It is a context, because
// the package of that name can call a function when it is given (context.AfterFunc): a
// goroutine that waits in a write looks at no channel.
type signal struct {
	context.Context
	give context.CancelFunc
}

func newSignal() signal {
	ctx, give := context.WithCancel(context.Background())
	return signal{ctx, give}
}

// graceAfter gives the client watchGrace to read what is on its way to it from the first
// of some signals on. Otherwise a client that does not read would hold a stream that
// the server has ended until the end of its own time. stop has to be called before the
// handler returns.
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
