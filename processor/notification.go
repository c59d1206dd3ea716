package processor

import "example.com/watchglass"

// Kind says which of the three methods of a handler a notification is for.
type Kind uint8

// The three kinds. The zero Kind is none of them.
const (
	Add Kind = iota + 1
	Update
	Delete
)

// String returns "add", "update" or "delete".
func (k Kind) String() string { return [...]string{"none", "add", "update", "delete"}[k] }

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
			return "add " + at(n.New) + " (initial)"
		}
		return "add " + at(n.New)
	case Update:
		return "update " + at(n.Old) + "→@" + n.New.GetResourceVersion()
	case Delete:
		return "delete " + at(n.Old)
	}
	return n.Kind.String()
}

// at returns the key of an object and its version, for example "default/web-1 @5".
func at(obj watchglass.Object) string {
	key, _ := watchglass.MetaNamespaceKeyFunc(obj) // "" for an object without a name
	return key + " @" + obj.GetResourceVersion()
}

// callOn calls the method of h that n is for.
func (n *Notification) callOn(h ResourceEventHandler) {
	switch n.Kind {
	case Add:
		h.OnAdd(n.New, n.IsInInitialList)
	case Update:
		h.OnUpdate(n.Old, n.New)
	case Delete:
		h.OnDelete(n.Old)
	}
}
