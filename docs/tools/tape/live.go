package tape

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Live is a machine that has played a story up to an event, and then runs by the clock of its
// caller.
//
// It lives in a bubble of testing/synctest, where a story's hours pass in microseconds. From that
// event on a goroutine of the bubble waits for what the caller wants, and does so on a channel from
// outside: such a goroutine could be woken at any time, so the time of the bubble stands still
// until Advance lets it pass.
type Live struct {
	machine *Machine
	wants   chan func()   // made outside the bubble
	goOn    chan struct{} // closed when the goroutine that reported the event may go on
	resume  func()        // closes goOn
	ended   chan struct{} // closed when nothing runs any more
}

// TakeOver plays a story up to the event with this number, and returns when everything stands as
// the story's tape shows it there: the goroutine that has reported the event has not gone on. The
// command that is being carried out is the story's last. The caller closes what it gets.
func (r *Recorder) TakeOver(s Story, seq int64) (*Live, error) {
	return r.live(func(l *Live, begun chan<- error) error { return l.story(s, seq, r.Source, begun) })
}

// Fresh returns a machine of its own, with what is there when the page opens. The caller closes it.
func (r *Recorder) Fresh(o Options) (*Live, error) {
	return r.live(func(l *Live, begun chan<- error) error {
		m, err := New(o)
		if err != nil {
			return err
		}
		if err := m.Open(); err != nil {
			m.Close()
			return err
		}
		l.machine = m
		l.resume()
		begun <- nil
		l.serve()
		return nil
	})
}

// live lives in a bubble until it is closed. begun gets nil when the caller may act; an error
// before that is returned.
func (r *Recorder) live(life func(l *Live, begun chan<- error) error) (*Live, error) {
	l := &Live{wants: make(chan func()), goOn: make(chan struct{}), ended: make(chan struct{})}
	l.resume = sync.OnceFunc(func() { close(l.goOn) })
	begun := make(chan error, 1)
	go func() {
		defer close(l.ended)
		r.inBubble(func() { begun <- life(l, begun) })
	}()
	if err := <-begun; err != nil {
		return nil, err
	}
	return l, nil
}

func (l *Live) story(s Story, seq int64, source *Source, begun chan<- error) error {
	p, steps, err := s.open(source)
	if err != nil {
		return err
	}
	l.machine = p.Machine
	var isLive atomic.Bool
	var served sync.WaitGroup
	halt := func() {
		isLive.Store(true)
		served.Go(l.serve)
		begun <- nil
		<-l.goOn
	}
	p.seen.halt = func(n int64) {
		if n == seq {
			halt()
		}
	}
	for _, step := range steps {
		if isLive.Load() || seq == 0 {
			break
		}
		if _, err := p.step(step); err != nil && !isLive.Load() {
			p.Close()
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	if !isLive.Load() {
		halt()
	}
	served.Wait()
	return nil
}

// serve does what the caller wants, and ends the machine when there is nothing more to come.
func (l *Live) serve() {
	for f := range l.wants {
		f()
	}
	l.machine.Close()
}

// Go runs f on the machine in a goroutine of the bubble, and returns a channel that is closed when
// f has returned.
func (l *Live) Go(f func(*Machine)) <-chan struct{} {
	done := make(chan struct{})
	l.wants <- func() {
		go func() {
			defer close(done)
			f(l.machine)
		}()
	}
	return done
}

// Advance lets time pass. With the first call what has stood still at the event goes on.
func (l *Live) Advance(d time.Duration) {
	l.resume()
	l.wants <- func() { time.Sleep(d) }
}

// Close ends everything, and returns when that has happened. Nothing may be called after it.
func (l *Live) Close() {
	l.resume()
	close(l.wants)
	<-l.ended
}
