package reflector

import (
	"errors"
	"slices"

	"example.com/watchglass"
)

// Stats counts what a [Reflector] has done since it was made.
type Stats struct {
	// Rows counts the rows of the table that the reflector has followed. For example, the rows that
	// lead from "opening watch" and "watching" to "listing" or "opening stream" are relists, and
	// those on "listed" and "streamed" are collections that the store has taken.
	Rows map[Transition]int
	// Errors counts the errors that [Config.WatchErrorHandler] gets, by cause: "store refused",
	// "resync failed", "expired", "version too large", "too many requests", "internal error",
	// "refused" (any other refusal by the server), "not understood", "too large", "unusable" (objects
	// of one list or event), "skipped" (one event), "very short" (a watch), "idle", "unfinished" (a
	// streaming list) or "connection lost".
	Errors map[string]int
	// LostEvents is how many of them were about objects that cannot be used: an event, or a list.
	LostEvents int

	// Failures is how many errors there were since the last success: a list or an event that the
	// store has taken, a bookmark, or a watch that the server has granted without a list in it. 0
	// means that all is well, as far as is known.
	Failures int
	// LastError is the last error that [Config.WatchErrorHandler] got, nil if there was none. It
	// stays after a success.
	LastError error
}

// A cause is a word for some errors.
type cause struct {
	word string
	fits func(error) bool
}

// causes are in the order in which they are tried. The last one fits every error.
var causes = []cause{
	{"unusable", is[*watchglass.Unusable]},
	{"store refused", is[*StoreError]}, // even if a server has refused something to the store
	{"resync failed", wraps(ErrResync)},
	{"expired", IsExpired},
	{"version too large", IsTooLargeResourceVersion},
	{"too many requests", isTooManyRequests},
	{"internal error", isInternalError},
	{"refused", is[*StatusError]},
	{"not understood", is[*DecodeError]},
	{"too large", is[*TooLargeError]},
	{"skipped", is[*ObjectError]},
	{"very short", wraps(ErrVeryShort)},
	{"idle", wraps(ErrIdle)},
	{"unfinished", wraps(ErrNoInitialEventsEnd)},
	{"connection lost", func(error) bool { return true }},
}

func wraps(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

// causeOf returns the word for an error.
func causeOf(err error) string {
	return causes[slices.IndexFunc(causes, func(c cause) bool { return c.fits(err) })].word
}
