// Package wire is HTTP without verbs and without objects: which answer a client accepts, how
// a body is read and an answer written, how long a client may take, and whether it has the token.
//
// Smallest use, in an http.Handler:
//
//	wire.LimitBody(w, r, time.Now().Add(wire.BodyTimeout))
//	body, err := wire.ReadBody(w, r)
//	if err != nil {
//		wire.Fail(w, r, status.Of(err))
//		return
//	}
//	wire.Answer(w, r, http.StatusOK, document)
//
// # What it promises
//
// A client has 10 seconds to send a header of at most 16 KiB and a body of at most 3 MiB, and 70 to
// read an answer. Places limit how many requests do so at once. Warnings are cut off, and so are
// Accept headers before they are parsed. An answer needs no memory for its length, indented or not.
//
// A PipeListener lets server and client share a testing/synctest bubble.
//
// # What it does not promise
//
// Nothing here retries, and nothing is logged: an answer that cannot be written is lost, because
// its client is gone.
package wire
