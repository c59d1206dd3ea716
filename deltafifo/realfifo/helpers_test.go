package realfifo

import (
	"fmt"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
)

// object returns an object without a namespace, so that its name is its key.
func object(name, resourceVersion string) *watchglass.ObjectMeta {
	return &watchglass.ObjectMeta{Name: name, ResourceVersion: resourceVersion}
}

// describe returns a delta with its objects: "Added web-1@7", "ReplacedAll@90 [web-1@7]".
func describe(d deltafifo.Delta) string {
	switch obj := d.Object.(type) {
	case ReplacedAllInfo:
		words := []string{}
		for _, listed := range obj.Objects {
			words = append(words, listed.GetName()+"@"+listed.GetResourceVersion())
		}
		return fmt.Sprintf("%v %v", d, words)
	case SyncAllInfo:
		return string(d.Type)
	case BookmarkInfo:
		return d.String()
	case deltafifo.DeletedFinalStateUnknown:
		return fmt.Sprintf("%s tombstone of %s", d.Type, obj.Key)
	default:
		return fmt.Sprintf("%s %s@%s", d.Type, obj.GetName(), obj.GetResourceVersion())
	}
}

func describeAll(deltas deltafifo.Deltas) []string {
	words := []string{}
	for _, d := range deltas {
		words = append(words, describe(d))
	}
	return words
}

// queued returns the whole queue.
func queued(f *RealFIFO) []string {
	return append(describeAll(f.backlog.out[f.backlog.head:]), describeAll(f.backlog.in)...)
}

// check returns an error that names a broken invariant, nil if all hold.
func (f *RealFIFO) check() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := &f.backlog
	if f.Len() != b.len() {
		return fmt.Errorf("length %d, %d deltas in the backlog", f.Len(), b.len())
	}
	for _, d := range append(b.out[:b.head:b.head], b.in[len(b.in):cap(b.in)]...) {
		if d.Object != nil {
			return fmt.Errorf("a free slot keeps %v alive", d)
		}
	}
	return nil
}
