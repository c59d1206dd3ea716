package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"example.com/watchglass/reflector"
)

// head is what a server says besides objects: the fields of a list without its items, of a Status,
// and of the object of a bookmark. Kind says which of them it is, and often comes last.
type head struct {
	Kind       string          `json:"kind"`
	APIVersion string          `json:"apiVersion"`
	Metadata   metadata        `json:"metadata"`
	Items      json.RawMessage `json:"items"` // of a list

	// Message and the rest are those of a Status.
	Message string                  `json:"message"`
	Reason  string                  `json:"reason"`
	Code    int                     `json:"code"`
	Details reflector.StatusDetails `json:"details"`
}

// GetKind and GetAPIVersion are for the check of what was asked for.
func (h *head) GetKind() string       { return h.Kind }
func (h *head) GetAPIVersion() string { return h.APIVersion }

type metadata struct {
	ResourceVersion string            `json:"resourceVersion"`
	Continue        string            `json:"continue"`
	Annotations     map[string]string `json:"annotations"`
}

// status makes an error of a Status. It cuts reason and message, because a Status may be as large
// as a frame and its error is logged. The limits are far above what API servers send.
func (h *head) status() *reflector.StatusError {
	return &reflector.StatusError{
		Code:       h.Code,
		Reason:     prefix(h.Reason, 100),
		Message:    prefix(h.Message, 1<<10),
		Details:    h.Details,
		RetryAfter: seconds(h.Details.RetryAfterSeconds),
	}
}

// seconds converts without overflow: a number from the wire may be any number.
func seconds(n int) time.Duration {
	return time.Duration(max(0, min(n, 1<<30))) * time.Second
}

// statusEvent reads the Status in an ERROR frame. Some proxies write such frames too, with objects
// of their own invention.
func statusEvent(object []byte) error {
	var s head
	if err := json.Unmarshal(object, &s); err != nil || s.Kind != "Status" {
		err := fmt.Errorf("its object is no Status: it begins %q", prefix(string(object), 60))
		return &reflector.DecodeError{What: "ERROR event", Err: err}
	}
	return s.status()
}

// prefix cuts s to at most n bytes, because error messages must not contain whole documents.
func prefix(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// shortened is err, or an error with the beginning of its text: some decoders quote the whole value
// that they refuse, numbers and times for example.
func shortened(err error) error {
	const limit = 200 // bytes
	if text := err.Error(); len(text) > limit {
		return errors.New(prefix(text, limit))
	}
	return err
}
