package wire

import (
	"time"

	"example.com/watchglass/reflector"
)

// errorEvent is the type of the frame with which a server says that a stream has failed.
const errorEvent reflector.EventType = "ERROR"

// status is the wire form of a refusal: meta/v1 Status.
type status struct {
	Kind    string `json:"kind"`
	Status  string `json:"status"`
	Message string `json:"message"`
	Reason  string `json:"reason"`
	Code    int    `json:"code"`
	Details struct {
		Causes            []reflector.StatusCause `json:"causes"`
		RetryAfterSeconds int                     `json:"retryAfterSeconds"`
	} `json:"details"`
}

func (s *status) err() *reflector.StatusError {
	return &reflector.StatusError{
		Code:       s.Code,
		Reason:     s.Reason,
		Message:    s.Message,
		Causes:     s.Details.Causes,
		RetryAfter: seconds(s.Details.RetryAfterSeconds),
	}
}

// seconds converts without overflow: a number from the wire may be any number.
func seconds(n int) time.Duration {
	return time.Duration(max(0, min(n, 1<<31))) * time.Second
}
