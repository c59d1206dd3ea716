// Package wire is HTTP without verbs and without objects: which answer a client accepts, how
// a body is read and an answer written, how long a client may take, and which requests are
// not handled at all.
//
// Smallest use, in an http.Handler:
//
//	wire.LimitBody(w, r, time.Now().Add(wire.RequestTimeout))
//	body, err := wire.ReadBody(w, r, 3<<20)
//	if err != nil {
//		wire.Fail(w, r, status.Of(err))
//		return
//	}
//	wire.Answer(w, r, http.StatusOK, document)
//
// # What it promises
//
// A client has one minute to send a body, or the time of its request if that is less, and two to
// read an answer. Bodies, headers, warnings and the growth of an answer by indentation are bounded,
// and Accept headers are cut off before they are parsed. Large answers are compressed for clients
// that accept it.
//
// A PipeListener lets server and client share a testing/synctest bubble.
//
// # What it does not promise
//
// Nothing here retries, and nothing is logged: an answer that cannot be written is lost, because
// its client is gone.
package wire
