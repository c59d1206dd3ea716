package object

import (
	"errors"
	"fmt"

	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

// Refusal turns an error of the store into a *status.Status. Other errors stay as they are.
func Refusal(err error) error {
	if old, ok := errors.AsType[*store.TooOldError](err); ok {
		return status.Expired(fmt.Sprintf("too old resource version: %d (%d)", old.Version, old.Oldest))
	}
	if future, ok := errors.AsType[*store.FutureError](err); ok {
		return status.TooLargeVersion(future.Version, future.Newest)
	}
	return err
}
