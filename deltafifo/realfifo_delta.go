package deltafifo

import "example.com/watchglass"

// The types of delta that say something about the whole collection. For single objects there are
// Added, Updated and Deleted.
const (
	// ReplacedAll is a list. The delta's object is a [ReplacedAllInfo].
	ReplacedAll DeltaType = "ReplacedAll"
	// SyncAll asks the consumer to look at all objects in its cache again. The delta's object is a
	// [SyncAllInfo].
	SyncAll DeltaType = "SyncAll"
	// Bookmark says that nothing else has happened up to a version. The delta's object is a
	// [BookmarkInfo].
	Bookmark DeltaType = "Bookmark"
)

// The three infos below are the objects of such deltas. They are Objects, so that all deltas have
// one type, but they do not belong to the collection and must never reach a cache or a handler.

// ReplacedAllInfo is the collection as a list returned it.
type ReplacedAllInfo struct {
	nameless
	ResourceVersion string // of the list; may be empty
	// Objects each have a key, and two may have the same. A *watchglass.Unusable among them says that
	// the object exists, and is to be left as it is.
	Objects []watchglass.Object
}

// GetResourceVersion returns the version of the list.
func (i ReplacedAllInfo) GetResourceVersion() string { return i.ResourceVersion }

// SyncAllInfo is empty. The objects to look at are those that are in the cache when the delta is
// processed. When it was queued, others may have been there.
type SyncAllInfo struct{ nameless }

// GetResourceVersion returns "".
func (SyncAllInfo) GetResourceVersion() string { return "" }

// BookmarkInfo is a version up to which everything has been queued.
type BookmarkInfo struct {
	nameless
	ResourceVersion string
}

// GetResourceVersion returns the version of the bookmark.
func (i BookmarkInfo) GetResourceVersion() string { return i.ResourceVersion }

// nameless is what the infos have in common: they are not objects of the collection, and have no
// name.
type nameless struct{}

// GetNamespace returns "".
func (nameless) GetNamespace() string { return "" }

// GetName returns "".
func (nameless) GetName() string { return "" }

// isBatchable says whether a delta may share a batch with others, which is so if it is about one
// object.
func isBatchable(d Delta) bool {
	return d.Type != ReplacedAll && d.Type != SyncAll && d.Type != Bookmark
}
