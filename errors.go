package watchglass

import "errors"

// A stage or informer with a Run runs once: what it holds belongs to the watch it had, and that has
// ended. To watch again, make another one.
var (
	// ErrStarted is returned by a second Run, during the first one or after it.
	ErrStarted = errors.New("already started: Run was called before")
	// ErrStopped is returned by methods that add something, for example a handler, when Run has ended.
	ErrStopped = errors.New("already stopped: Run has ended")
)
