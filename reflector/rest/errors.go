package rest

import (
	"errors"

	"example.com/watchglass/reflector"
)

// IsConflict reports whether the server refused a write because it holds a newer state of the
// object than the one that was sent: 409, reason Conflict.
func IsConflict(err error) bool { return has(err, "Conflict", 409) }

// IsNotFound reports whether the server said that there is no such object: 404. The path of a
// resource that the server does not have gets the same answer.
func IsNotFound(err error) bool { return has(err, "NotFound", 404) }

// IsAlreadyExists reports whether the server refused to create an object because there is one of
// that name: 409, reason AlreadyExists.
func IsAlreadyExists(err error) bool { return has(err, "AlreadyExists", 0) }

// has reports whether err is a refusal for a reason. If the server gave none, the code counts.
func has(err error, reason string, code int) bool {
	e, ok := errors.AsType[*reflector.StatusError](err)
	return ok && (e.Reason == reason || e.Reason == "" && code > 0 && e.Code == code)
}
