package object

import (
	"crypto/rand"
	"fmt"
	"time"
)

// Now returns the time as metadata has it: RFC 3339 in UTC, whole seconds.
func Now() string { return time.Now().UTC().Format(time.RFC3339) }

// NewUID returns a random (version 4) UUID, RFC 9562.
func NewUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // documented never to fail
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
