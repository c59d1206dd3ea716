// Package mutation finds out which handler changes objects of an informer's cache. All objects
// there are shared: a handler that sets a label sets it for all other handlers and for the index,
// and the next real update of the object hides it again. In tests, set the informer's
// Options.MutationDetector to a [Detector].
package mutation

import (
	"fmt"
	"strings"
	"time"
)

// Detector finds handlers and readers that change objects of the cache.
//
// It encodes each object as JSON before the handlers are called with it. It compares after each
// call of a handler with that object, before the object leaves the cache, every Period, and at the
// end of Run; the last two report what was found. The encoded objects take about as much memory as
// the objects on the wire, and are released with them.
//
// It finds only changes that show in the JSON. It does not find changes of the old object of an
// update or of the object of a deletion, which are no longer in the cache, nor changes made after
// an object entered the cache and before it is encoded. An object that cannot be encoded is not
// watched, and the log says so. A MarshalJSON must not call the informer.
//
// A change that is made while the detector, or any other reader, looks at the object is a data
// race: the race detector reports it, and for a map the runtime may crash the program.
type Detector struct {
	// Period is how often the whole cache is compared, and findings are reported. Zero: every second.
	Period time.Duration
	// OnMutation is called for each object that was changed, one call at a time. Run returns after
	// the last call. OnMutation may call the informer. Nil: the error is logged.
	OnMutation func(*Error)
}

// Error says that an object of the cache was changed. It holds values of the object: do not log it
// where the objects are secrets.
type Error struct {
	Key             string
	ResourceVersion string
	// Handler is the name of the handler after whose call the change was found, "" if it was found
	// at another time. Another goroutine may have made the change during that call.
	Handler string
	// Changes says what differs, as in `metadata.labels.app: "a" → "b"`, with values in JSON of which
	// only the beginning is shown if they are long. There is at least one.
	Changes []string
}

// Error returns all of it in one line, but of many changes the first ten.
func (e *Error) Error() string {
	text := fmt.Sprintf("object %q @%s was changed in the cache", e.Key, e.ResourceVersion)
	if e.Handler != "" {
		text += fmt.Sprintf(", found after a call of handler %q", e.Handler)
	}
	text += ": " + strings.Join(e.Changes[:min(10, len(e.Changes))], "; ")
	if more := len(e.Changes) - 10; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}
