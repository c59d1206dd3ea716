// Package status makes the answers to requests that fail: the Kubernetes API's meta/v1
// Status, with its fields in the order in which a real server writes them, and the errors
// in the fields of an object that one Status can hold.
//
// Smallest use:
//
//	return status.NotFound(status.About{Group: "apps", Plural: "deployments", Name: "web"})
//
//	var errs status.FieldErrors
//	errs.Invalid("spec.scope", scope, "must be …")
//	return status.Invalid(about, errs)
//
// # What it promises
//
// A *Status is an error, and errors.As finds it in the errors of the whole server. Codes, reasons
// and messages are those of a real server, because clients compare reasons and show messages to
// people. An answer is bounded: messages, quoted values and the number of errors in it are cut off.
//
// # What it does not promise
//
// It knows neither resources nor documents. About an object it is told only the names.
package status
