// Package keys is exercise 4.1 of the workshop: what makes two states one object.
package keys

// Key returns the key of an object: "namespace/name", or "name" for one that is cluster-scoped and
// has no namespace. An object without a name has no key, and that is an error.
func Key(namespace, name string) (string, error) {
	panic("TODO")
}

// Split undoes Key. Neither names nor namespaces contain a slash, so a key with two or more is an
// error that says which key it was. So is a key that is empty, or that begins or ends with the
// slash: Key makes none of these. With an error both results are empty.
func Split(key string) (namespace, name string, err error) {
	panic("TODO")
}
