// Package reconcile is exercise 7.2 of the workshop: bringing the world to what the spec says.
package reconcile

import "errors"

// A Widget says what a user wants and what there is.
type Widget struct {
	Name    string
	Version int // the resourceVersion of this state
	Size    int // the spec: what the user wants
	Ready   int // the status: what the controller has done
}

var (
	// ErrNotFound says that there is no widget of that name (any more).
	ErrNotFound = errors.New("404 NotFound")
	// ErrConflict says that the widget has changed since the version that was written.
	ErrConflict = errors.New("409 Conflict")
)

// A Server holds widgets.
type Server interface {
	// Get returns the present state, or ErrNotFound.
	Get(name string) (Widget, error)
	// Update stores w if w.Version is still the present version. Otherwise the error is ErrConflict,
	// or ErrNotFound.
	Update(w Widget) error
}

// attempts is how often Reconcile tries to write.
const attempts = 5

// Reconcile makes Ready what Size asks for, and changes nothing else. It writes only if there is
// something to change. After a conflict it reads again and decides anew, up to five attempts; then
// it returns the conflict, so that the key is queued again. A widget that does not exist needs
// nothing, which is not an error. Other errors are returned as they are.
func Reconcile(server Server, name string) error {
	panic("TODO")
}
