package watchglass

import (
	"errors"
	"fmt"
	"strings"
)

// KeyFunc computes the key under which an object is queued and stored. Two objects with the same
// key are two states of the same thing. An error says that the object has no key; see [KeyError].
type KeyFunc func(obj Object) (string, error)

// KeyOf returns the key that f computes for obj; a nil f means [MetaNamespaceKeyFunc]. The error is
// always a [KeyError]: if f returns another error, KeyOf wraps it in one. It does not call f with a
// nil object, for which f need not be prepared: that has no key.
func (f KeyFunc) KeyOf(obj Object) (string, error) {
	if f == nil || obj == nil {
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

// MetaNamespaceKeyFunc makes the usual keys: "namespace/name", or "name" for a cluster-scoped
// object. It fails with a [KeyError] for a nil object and for an object without a name: otherwise
// all nameless objects of a namespace would have the same key.
func MetaNamespaceKeyFunc(obj Object) (string, error) {
	if obj == nil {
		return "", &KeyError{Err: errors.New("no object")}
	}
	namespace, name := obj.GetNamespace(), obj.GetName()
	switch {
	case name == "":
		return "", &KeyError{Obj: obj, Err: errors.New("object has no name")}
	case namespace == "":
		return name, nil
	}
	return namespace + "/" + name, nil
}

// SplitMetaNamespaceKey returns the namespace and the name from which [MetaNamespaceKeyFunc] made
// the key. The namespace is "" if there is no slash. Neither names nor namespaces contain a slash,
// so a key with more than one is an error.
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

// KeyError says which object has no key, and why.
type KeyError struct {
	Obj Object // may be nil
	Err error  // why it has no key
}

// Error names the object by its type, namespace, name and version. It does not print the content:
// errors are logged, and the object may be a Secret.
func (e *KeyError) Error() string {
	if e.Obj == nil {
		return fmt.Sprintf("no key: %v", e.Err)
	}
	return fmt.Sprintf("no key for %T (namespace %q, name %q, resourceVersion %q): %v",
		e.Obj, e.Obj.GetNamespace(), e.Obj.GetName(), e.Obj.GetResourceVersion(), e.Err)
}

// Unwrap returns the cause, for errors.Is and errors.As.
func (e *KeyError) Unwrap() error { return e.Err }
