package reconcile

import (
	_ "embed"
	"errors"
	"fmt"
	"testing"

	"example.com/watchglass/docs/workshop/exercise"
)

//go:embed reconcile.go
var source string

var errDown = errors.New("503 ServiceUnavailable")

// server holds at most one widget. Users change it in between: each of changes is made just before
// an update.
type server struct {
	widget        *Widget
	changes       []func(*server)
	getErr        error
	updateErr     error
	gets, updates int
}

func (s *server) Get(name string) (Widget, error) {
	s.gets++
	switch {
	case s.getErr != nil:
		return Widget{}, s.getErr
	case s.widget == nil || s.widget.Name != name:
		return Widget{}, ErrNotFound
	}
	return *s.widget, nil
}

func (s *server) Update(w Widget) error {
	s.updates++
	if len(s.changes) > 0 {
		s.changes[0](s)
		s.changes = s.changes[1:]
	}
	switch {
	case s.updateErr != nil:
		return s.updateErr
	case s.widget == nil || s.widget.Name != w.Name:
		return ErrNotFound
	case s.widget.Version != w.Version:
		return ErrConflict
	}
	w.Version++
	s.widget = &w
	return nil
}

// resize asks for another size, as a user does.
func resize(size int) func(*server) {
	return func(s *server) {
		s.widget = &Widget{s.widget.Name, s.widget.Version + 1, size,
			s.widget.Ready}
	}
}

func remove(s *server) { s.widget = nil }

// fail asks for another size; then the server fails all reads.
func fail(err error) func(*server) {
	return func(s *server) { resize(5)(s); s.getErr = err }
}

func TestReconcile(t *testing.T) {
	exercise.Start(t, "reconcile.go", source)
	for _, c := range []struct {
		law, why string
		server   server
		err      error
		want     *Widget // nil: there is none
		updates  int
		gets     int // 0: any number
	}{
		{
			law: "the status becomes what the spec says", why: "that is the controller's whole job",
			server: server{widget: &Widget{"w", 1, 3, 0}},
			want:   &Widget{"w", 2, 3, 3}, updates: 1,
		},
		{
			law:    "it goes down as well as up",
			why:    "the user asks for less than there is, and at last for none",
			server: server{widget: &Widget{"w", 1, 0, 5}},
			want:   &Widget{"w", 2, 0, 0}, updates: 1,
		},
		{
			law:    "nothing is written when nothing is to be changed",
			why:    "a write makes a new version, which is an event, which calls Reconcile again: forever",
			server: server{widget: &Widget{"w", 7, 3, 3}},
			want:   &Widget{"w", 7, 3, 3},
		},
		{
			law:    "after a conflict it decides anew, on what it reads then",
			why:    "the user wants 5 now; with the old copy it would write 3, or lose the user's change",
			server: server{widget: &Widget{"w", 1, 3, 0}, changes: []func(*server){resize(5)}},
			want:   &Widget{"w", 3, 5, 5}, updates: 2,
		},
		{
			law: "it gives up after five attempts",
			why: "a worker that tries forever is lost for all other keys; the queue brings this one back " +
				"later",
			server: server{widget: &Widget{"w", 1, 3, 0}, changes: []func(*server){
				resize(4), resize(5), resize(6), resize(7), resize(8), resize(9), resize(10),
			}},
			err: ErrConflict, want: &Widget{"w", 6, 8, 0}, updates: 5,
		},
		{
			law: "a widget that does not exist needs nothing",
			why: "its deletion is why the key was queued; an error would queue it again, forever",
		},
		{
			law:    "a widget that is deleted in between needs nothing either",
			why:    "the update says 404, and there is nothing left to do",
			server: server{widget: &Widget{"w", 1, 3, 0}, changes: []func(*server){remove}}, updates: 1,
		},
		{
			law: "other errors are returned", why: "the queue has to know that the key has failed",
			server: server{widget: &Widget{"w", 1, 3, 0}, getErr: errDown},
			err:    errDown, want: &Widget{"w", 1, 3, 0}, gets: 1,
		},
		{
			law:    "other errors of the write are returned, too",
			why:    "nothing was written, and the queue has to know",
			server: server{widget: &Widget{"w", 1, 3, 0}, updateErr: errDown},
			err:    errDown, want: &Widget{"w", 1, 3, 0}, updates: 1, gets: 1,
		},
		{
			law:    "so are those of a later attempt",
			why:    "after a conflict the server is down, and the widget is as wrong as before",
			server: server{widget: &Widget{"w", 1, 3, 0}, changes: []func(*server){fail(errDown)}},
			err:    errDown, want: &Widget{"w", 2, 5, 0}, updates: 1, gets: 2,
		},
		{
			law:    "a widget that is missing after a conflict needs nothing",
			why:    "the second read says 404, which means what it always means",
			server: server{widget: &Widget{"w", 1, 3, 0}, changes: []func(*server){fail(ErrNotFound)}},
			want:   &Widget{"w", 2, 5, 0}, updates: 1, gets: 2,
		},
		{
			law:    "a widget that is right after a conflict is not written",
			why:    "the user asks for what there is, so nothing is to be changed any more",
			server: server{widget: &Widget{"w", 1, 3, 0}, changes: []func(*server){resize(0)}},
			want:   &Widget{"w", 2, 0, 0}, updates: 1, gets: 2,
		},
	} {
		t.Run(c.law, func(t *testing.T) {
			s, before := c.server, show(c.server.widget)
			err := Reconcile(&s, "w")
			if !errors.Is(err, c.err) || c.err == errDown && err != c.err ||
				show(s.widget) != show(c.want) || s.updates != c.updates {
				t.Errorf("%s.\nbefore: %s\nafter:  %s, %d updates, error %v\nwant:   %s, %d updates, error %v",
					c.why, before, show(s.widget), s.updates, err, show(c.want), c.updates, c.err)
			}
			if c.gets > 0 && s.gets != c.gets {
				t.Errorf("only a conflict is gone after reading again; with any other error the queue brings "+
					"the key back, "+
					"after a pause.\nthe server was asked for the widget %d times, want %d", s.gets, c.gets)
			}
		})
	}
}

func show(w *Widget) string {
	if w == nil {
		return "no widget"
	}
	return fmt.Sprintf("version %d, size %d, ready %d", w.Version, w.Size, w.Ready)
}
