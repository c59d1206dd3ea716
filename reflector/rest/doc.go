// Package rest sends one request to an API server and reads the answer: an object, or a refusal. A
// controller writes with it; package wire, whose lists and watches are answers that never fit in
// one piece, shares its reading of refusals.
//
//	fakeapi ~~▶ cluster ~~▶ [rest]  one object goes, one object or a refusal comes
//	  HTTP    connections    wire   lists and watches ──▶ reflector ──▶ …
//
// The smallest use, with what package cluster knows of the server:
//
//	widgets, err := rest.NewClient[Widget](rest.ClientOptions{URL: …, HTTPClient: …})
//	…
//	written, err := widgets.UpdateStatus(ctx, widget)
//	switch {
//	case rest.IsConflict(err): // the server holds a newer state: read it, and try again
//	case rest.IsNotFound(err): // the widget was deleted
//	}
//
// [Do] is the request below it, for whatever else a server can be asked. A [Resource] makes the
// URL's path. The funcs IsConflict, IsNotFound and IsAlreadyExists are those
// of apimachinery's package errors (apierrors). The others of that package are in package
// reflector, which needs them itself: [reflector.IsExpired] and [reflector.SuggestsClientDelay],
// which says what Retry-After says.
//
// # What is promised
//
// A refusal is a [*reflector.StatusError], also if a proxy has sent it; its text is short, whatever
// was sent. An answer is read up to [reflector.ObjectLimit].
//
// # What is not promised
//
// That a request that failed was not carried out. If the error is no *reflector.StatusError, the
// server may have done what was asked, and the answer was lost. Nothing is sent a second time. So
// what follows a failed write must begin by reading what is there.
package rest
