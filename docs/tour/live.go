package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/informer"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/wire"
)

// live watches a real API server and draws whatever happens there, until ctx ends, enough events
// have come, or the server refuses.
func live(ctx context.Context, t *teller, o options) error {
	seen := newRecorder()
	target := strings.TrimRight(o.server, "/") + o.resource
	way, err := wayTo(seen, o)
	if err != nil {
		return err
	}
	client, err := wire.NewClient[watchglass.Unstructured](wire.ClientOptions{
		URL:        target,
		HTTPClient: &http.Client{Transport: way, Timeout: time.Minute}, // of a list; a watch lasts
		TokenFile:  o.tokenFile,
	})
	if err != nil {
		return err
	}
	trace := seen.trace()
	refused := make(chan error, 1)
	trace.Reflector.Transition = giveUp(trace.Reflector.Transition, refused)
	inf := informer.NewSharedIndexInformer(informer.Options{
		ListerWatcher: client, Name: o.resource, Trace: trace,
		Reflector: reflector.Options{ListFirst: true}, // streaming would draw a line per object
	})
	if _, err := inf.AddEventHandler(processor.ResourceEventHandlerFuncs{},
		informer.HandlerOptions{Name: "you"}); err != nil {
		return err
	}
	_, _ = seen.take() // what came before the beginning
	t.prologue(target)
	running, stop := context.WithCancel(ctx)
	var ended sync.WaitGroup
	ended.Go(func() { _ = inf.Run(running) }) // an error only for a second run
	err = t.follow(ctx, seen, refused, o.events)
	stop()
	ended.Wait()
	way.base.CloseIdleConnections()
	if err != nil {
		return explain(err, o)
	}
	t.epilogue(ctx.Err() != nil, seen.soFar())
	return nil
}

// giveUp passes transitions on, and the error of the first that makes further attempts pointless: a
// reflector would try for ever, but somebody sits here and waits. Once there has been a list, a
// server that is away for a while is worth waiting for.
func giveUp(
	pass func(reflector.Transition, error), refused chan<- error,
) func(reflector.Transition, error) {
	listed := false
	return func(t reflector.Transition, err error) {
		pass(t, err)
		listed = listed || t.On == reflector.Listed
		if t.Do == reflector.BackOff && (!listed || forbidden(err)) {
			select {
			case refused <- err:
			default: // there was one before
			}
		}
	}
}

// forbidden reports whether asking again would get the same answer.
func forbidden(err error) bool {
	status, ok := errors.AsType[*reflector.StatusError](err)
	if !ok {
		return false
	}
	switch status.Code {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound,
		http.StatusMethodNotAllowed:
		return true
	}
	return false
}

// quiet is how long nothing must have been reported for the pipe to count as at rest. Where nobody
// has written a script, nobody knows what is still to come.
const quiet = 50 * time.Millisecond

// follow draws what is reported until there is a reason to end.
func (t *teller) follow(
	ctx context.Context, seen *recorder, refused <-chan error, events int,
) error {
	if err := firstList(ctx, seen, refused); err != nil {
		return err
	}
	t.sinceHeader = aScreen
	for {
		news := seen.news()
		enough := events > 0 && seen.soFar().calls >= events // asked before the last look
		if marks, notes := seen.take(); len(marks) > 0 {
			t.episode(ctx, marks, notes)
		}
		if enough {
			return nil
		}
		select {
		case <-news:
		case err := <-refused:
			return err
		case <-ctx.Done():
			return nil
		}
		settle(ctx, seen)
	}
}

// firstList waits until there is something to draw. Of a server that refuses at once, the sentence
// says more than a picture.
func firstList(ctx context.Context, seen *recorder, refused <-chan error) error {
	for {
		news := seen.news()
		if seen.soFar().lists > 0 {
			return nil
		}
		select {
		case <-news:
		case err := <-refused:
			return err
		case <-ctx.Done():
			return nil
		}
	}
}

// settle waits until the pipe is quiet, but not for ever: on a busy server it never is.
func settle(ctx context.Context, seen *recorder) {
	enough := time.NewTimer(10 * quiet)
	defer enough.Stop()
	for {
		still := time.NewTimer(quiet)
		select {
		case <-seen.news():
			still.Stop()
			continue
		case <-still.C:
		case <-enough.C:
		case <-ctx.Done():
		}
		still.Stop()
		return
	}
}

// aScreen is after how many lines the names of the lanes are repeated.
const aScreen = 30

// episode draws what came in one go.
func (t *teller) episode(ctx context.Context, marks []mark, notes []string) {
	const most = 4
	if len(notes) > most {
		notes = append(notes[:most-1], fmt.Sprintf("and %d more", len(notes)-most+1))
	}
	t.say("")
	if t.sinceHeader >= aScreen {
		t.header()
	}
	for i, note := range notes {
		at := strings.Repeat(" ", len(time.TimeOnly))
		if i == 0 {
			at = time.Now().Format(time.TimeOnly)
		}
		t.write([]string{t.ink.faint(at) + "  " + t.ink.bold(note)})
	}
	t.draw(ctx, marks)
}

func (t *teller) prologue(target string) {
	t.say("%s", t.ink.bold("Watchglass: an informer for "+target))
	t.say("Every cell below was reported by the stage it stands under; of the API server there are " +
		"only its answers. Ctrl-C ends it.")
}

func (t *teller) epilogue(interrupted bool, sum tally) {
	t.say("")
	why := "Done"
	if interrupted {
		why = "Interrupted"
	}
	t.say("%s. The watch is closed: %s, %s, %s from the server, %s of the handler.", why,
		plural(sum.lists, "list"), plural(sum.watches, "watch"),
		plural(sum.events, "event"), plural(sum.calls, "call"))
}
