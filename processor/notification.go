package processor

import (
	"fmt"

	"example.com/watchglass"
)

// Kind says which of the three methods of a handler a notification is for.
type Kind uint8

// The three kinds. The zero Kind is none of them, so that a missing Kind is noticed.
const (
	Add Kind = iota + 1
	Update
	Delete
)

// String returns "add", "update" or "delete".
func (k Kind) String() string {
	switch k {
	case Add:
		return "add"
	case Update:
		return "update"
	case Delete:
		return "delete"
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// A Notification is one call that is made to every handler. It is a value and never changes.
type Notification struct {
	Old watchglass.Object // set for Update and Delete
	New watchglass.Object // set for Add and Update

	Kind            Kind
	IsInInitialList bool // only for Add; see [ResourceEventHandler]
}

// AddNotification returns a notification that obj is new.
func AddNotification(obj watchglass.Object, isInInitialList bool) Notification {
	return Notification{Kind: Add, New: obj, IsInInitialList: isInInitialList}
}

// UpdateNotification returns a notification that oldObj became newObj.
func UpdateNotification(oldObj, newObj watchglass.Object) Notification {
	return Notification{Kind: Update, Old: oldObj, New: newObj}
}

// DeleteNotification returns a notification that obj, a last known state or a tombstone, was
// deleted.
func DeleteNotification(obj watchglass.Object) Notification {
	return Notification{Kind: Delete, Old: obj}
}

// String names the object by its key and its versions, for example "update default/web-1 @5→@6".
func (n Notification) String() string {
	switch n.Kind {
	case Add:
		if n.IsInInitialList {
			return fmt.Sprintf("add %s @%s (initial)", key(n.New), version(n.New))
		}
		return fmt.Sprintf("add %s @%s", key(n.New), version(n.New))
	case Update:
		return fmt.Sprintf("update %s @%s→@%s", key(n.New), version(n.Old), version(n.New))
	case Delete:
		return fmt.Sprintf("delete %s @%s", key(n.Old), version(n.Old))
	}
	return n.Kind.String()
}

func key(obj watchglass.Object) string {
	k, err := watchglass.MetaNamespaceKeyFunc(obj)
	if err != nil {
		return "?"
	}
	return k
}

func version(obj watchglass.Object) string {
	if obj == nil {
		return "?"
	}
	return obj.GetResourceVersion()
}

// callOn calls the method of h that n is for. It panics if n has no Kind.
func (n *Notification) callOn(h ResourceEventHandler) {
	switch n.Kind {
	case Add:
		h.OnAdd(n.New, n.IsInInitialList)
	case Update:
		h.OnUpdate(n.Old, n.New)
	case Delete:
		h.OnDelete(n.Old)
	default:
		panic(fmt.Sprintf("processor: notification of unknown %v", n.Kind))
	}
}
