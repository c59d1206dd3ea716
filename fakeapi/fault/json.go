package fault

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// A duration is a string such as "1.5s" in JSON.
type duration time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = duration(v)
	return err
}

// Read decodes a fault: an object with the fields of Fault in lower camel case, durations as
// Go writes them. Unknown fields are errors, so that typos are noticed.
func Read(body io.Reader) (Fault, error) {
	var in struct {
		Fault
		RetryAfter, Delay duration
	}
	d := json.NewDecoder(body)
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return Fault{}, fmt.Errorf("expected a fault in JSON: %w", err)
	}
	if d.More() {
		return Fault{}, errors.New("expected one fault, found more text after it")
	}
	f := in.Fault
	f.RetryAfter, f.Delay = time.Duration(in.RetryAfter), time.Duration(in.Delay)
	return f, nil
}

// Check returns an error for a fault that would never strike, or not as its fields say. verbs
// are those that it may name; which resources there are is for the caller to check.
func (f Fault) Check(verbs []string) error {
	switch known := Kinds(); {
	case !slices.Contains(known, f.Kind):
		return fmt.Errorf("the kind %.100q is not one of %q", f.Kind, known)
	case f.Verb != "" && !slices.Contains(verbs, f.Verb):
		return fmt.Errorf("the verb %.100q is not one of %q", f.Verb, verbs)
	case f.After < 0 || f.RetryAfter < 0 || f.Delay < 0:
		return fmt.Errorf("after (%d), retryAfter (%v) and delay (%v) must not be negative",
			f.After, f.RetryAfter, f.Delay)
	case f.Code != 0 && (f.Code < 400 || f.Code > 599):
		return fmt.Errorf("the code %d is not an error code: expected 400 to 599", f.Code)
	case f.Kind == Delay && f.Delay == 0:
		return errors.New(`a delay needs a duration, such as "delay":"5s"`)
	}
	return nil
}
