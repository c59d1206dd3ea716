package watchglass

import (
	"errors"
	"fmt"
	"strings"
)

// KeyFunc computes the key under which an object is queued and stored. Two objects with one key are
// two states of one thing. An error says that the object has no key; see [KeyError].
type KeyFunc func(obj Object) (string, error)

// KeyOf calls f, or [MetaNamespaceKeyFunc] if f is nil. Its error is always a [KeyError]: one of
// another type is wrapped in one.
func (f KeyFunc) KeyOf(obj Object) (string, error) {
	if f == nil {
		f = MetaNamespaceKeyFunc
	}
	key, err := f(obj)
	if err == nil {
		return key, nil
	}
	if _, ok := errors.AsType[*KeyError](err); !ok {
		err = &KeyError{Obj: obj, Err: err}
	}
	return "", err
}

// MetaNamespaceKeyFunc is the usual [KeyFunc]: "namespace/name", or "name" for a cluster-scoped
// object. It fails with a [KeyError] for a nil object and for one without a name, which would
// otherwise share its key with all other nameless ones.
func MetaNamespaceKeyFunc(obj Object) (string, error) {
	if obj == nil {
		return "", &KeyError{Err: errNilObject}
	}
	namespace, name := obj.GetNamespace(), obj.GetName()
	switch {
	case name == "":
		return "", &KeyError{Obj: obj, Err: errNoName}
	case namespace == "":
		return name, nil
	}
	return namespace + "/" + name, nil
}

// SplitMetaNamespaceKey undoes [MetaNamespaceKeyFunc]. Neither names nor namespaces contain a
// slash, so a key with more than one is an error.
func SplitMetaNamespaceKey(key string) (namespace, name string, err error) {
	namespace, name, namespaced := strings.Cut(key, "/")
	switch {
	case !namespaced:
		return "", key, nil
	case strings.Contains(name, "/"):
		return "", "", fmt.Errorf("key %q has more than one slash: want namespace/name or name", key)
	}
	return namespace, name, nil
}

var (
	errNilObject = errors.New("no object")
	errNoName    = errors.New("object has no name")
)

// KeyError says which object has no key, and why.
type KeyError struct {
	Obj Object // may be nil
	Err error
}

// Error names the object by its type and what is known of its identity. It does not print the
// object: a Secret has no business in a log.
func (e *KeyError) Error() string {
	if e.Obj == nil {
		return fmt.Sprintf("no key: %v", e.Err)
	}
	return fmt.Sprintf("no key for %T (namespace %q, name %q, resourceVersion %q): %v",
		e.Obj, e.Obj.GetNamespace(), e.Obj.GetName(), e.Obj.GetResourceVersion(), e.Err)
}

// Unwrap returns the cause, for errors.Is and errors.As.
func (e *KeyError) Unwrap() error { return e.Err }
