// Fails: TestKey/an object without a name has no key
// Every object from the server has a name. But this may be an object of your own, half filled in.

// Package keys is exercise 4.1 of the workshop: what makes two states one object.
package keys

import (
	"fmt"
	"strings"
)

// Key returns the key of an object: "namespace/name", or "name" for one that is cluster-scoped and
// has no namespace. An object without a name has no key, and that is an error.
func Key(namespace, name string) (string, error) {
	// Without this check all nameless objects would share one key, and overwrite each other.
	if namespace == "" {
		return name, nil
	}
	return namespace + "/" + name, nil
}

// Split undoes Key. Neither names nor namespaces contain a slash, so a key with two or more is an
// error that says which key it was. So is a key without a name: one that is empty or ends with the
// slash. With an error both results are empty.
func Split(key string) (namespace, name string, err error) {
	namespace, name, namespaced := strings.Cut(key, "/")
	if !namespaced {
		namespace, name = "", key
	}
	if name == "" || strings.Contains(name, "/") {
		return "", "", fmt.Errorf("key %q is neither namespace/name nor name", key)
	}
	return namespace, name, nil
}
