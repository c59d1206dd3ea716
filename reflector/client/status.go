package client

import (
	"errors"
	"fmt"
	"strings"

	"example.com/watchglass/reflector"
)

// head is what a server says besides objects: a list without its items, or the object of a
// bookmark. It is also what can be read of an object that does not fit its type.
type head struct {
	Kind       string   `json:"kind"`
	APIVersion string   `json:"apiVersion"`
	Metadata   metadata `json:"metadata"`
}

// GetKind and GetAPIVersion are for the check of what was asked for.
func (h *head) GetKind() string       { return h.Kind }
func (h *head) GetAPIVersion() string { return h.APIVersion }

type metadata struct {
	Name            string            `json:"name"`
	Namespace       string            `json:"namespace"`
	ResourceVersion string            `json:"resourceVersion"`
	Continue        string            `json:"continue"`
	Annotations     map[string]string `json:"annotations"`
}

// statusEvent reads the Status in an ERROR frame. Some proxies write such frames too, with objects
// of their own invention.
func statusEvent(object []byte) error {
	if refused, ok := status(object); ok {
		return refused
	}
	err := fmt.Errorf("its object is no Status: it begins %q", quote(object))
	return &reflector.DecodeError{What: "ERROR event", Err: err}
}

// quoted is how many bytes of a response the text of an error may have: it is logged, and may be
// kept for long.
const quoted = 200

// shortened returns err, or an error with the beginning of its text: some decoders quote the whole
// value that they refuse, numbers and times for example, and net/http quotes whole header lines.
func shortened(err error) error {
	if text := err.Error(); len(text) > quoted {
		return errors.New(beginning(text, quoted))
	}
	return err
}

// beginning returns a text, or what it begins with.
func beginning(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
