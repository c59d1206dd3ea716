package registry

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

// The garbage collector deletes the objects whose owners are gone. In a real cluster it is a
// controller of its own, which keeps a graph of all objects up to date from watches. Here one
// goroutine looks at all objects after each write that can matter, its own among them, and does
// what their present state asks for. So it has no state that could be wrong.
//
//	an object                            what becomes of it
//	waits with the finalizer orphan      its dependents lose their reference, then it the finalizer
//	waits with foregroundDeletion        loses it when no dependent blocks it any more
//	has an owner that stays              loses its references to the others
//	has only owners that are gone        is deleted
//	has only owners that are gone or     is deleted, in the foreground if it has dependents itself
//	wait with foregroundDeletion
//
// Objects are owners by their UID: a new object of the same name is not the owner.

// An owned is an object that the collector looks at: it has owners, or is deleted.
type owned struct {
	in         *Collection
	doc        *object.Document
	Owners     []reference `json:"ownerReferences"`
	Finalizers []string    `json:"finalizers"`
}

type reference struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	UID        string `json:"uid"`
	Blocks     bool   `json:"blockOwnerDeletion"`
}

// waits reports whether the object is deleted and is kept by a finalizer.
func (o *owned) waits(finalizer string) bool {
	return o.doc.Deleting && slices.Contains(o.Finalizers, finalizer)
}

// MayBeGarbage reports whether the collector has something to do after an event.
func MayBeGarbage(e *store.Event) bool {
	d := e.Object.(*object.Document)
	return e.Type == store.Deleted || d.Deleting || hasOwners(d)
}

func hasOwners(d *object.Document) bool {
	return bytes.Contains(metadata(d), []byte(`"ownerReferences"`))
}

func metadata(d *object.Document) []byte { return d.MetadataAt(d.Version())[0] }

// CollectGarbage runs the collector until ctx is done. It looks at the objects when wake brings
// something.
func (reg *Registry) CollectGarbage(ctx context.Context, wake <-chan struct{}) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-wake:
			reg.collect(ctx)
		}
	}
}

// collect looks at all objects once. A write may fail because another client was faster: then there
// is an event, and collect is called again.
func (reg *Registry) collect(ctx context.Context) {
	all, dependents := reg.owned()
	for _, o := range all {
		mine := dependents[o.doc.UID]
		switch {
		case o.waits(object.FinalizerOrphan):
			o.orphan(ctx, mine)
		case o.waits(object.FinalizerForeground):
			if !slices.ContainsFunc(mine, func(d *owned) bool { return d.blocks(o.doc.UID) }) {
				o.drop(ctx, object.FinalizerForeground)
			}
		case !o.doc.Deleting:
			reg.follow(ctx, o, mine)
		}
	}
}

// owned returns the objects that have owners or are deleted, and the dependents of each UID. Events
// are no garbage, as in a real cluster: there are too many, and they expire.
func (reg *Registry) owned() (all []*owned, dependents map[string][]*owned) {
	dependents = map[string][]*owned{}
	for _, c := range reg.catalog.Load().collections {
		if c.Type.Builtin() && c.Type.Plural == "events" {
			continue
		}
		for o := range c.Objects.Snapshot().All("", "") {
			d := o.(*object.Document)
			if !d.Deleting && !hasOwners(d) {
				continue
			}
			o := c.ownedAs(d)
			all = append(all, o)
			for _, r := range o.Owners {
				dependents[r.UID] = append(dependents[r.UID], o)
			}
		}
	}
	return all, dependents
}

func (c *Collection) ownedAs(d *object.Document) *owned {
	o := &owned{in: c, doc: d}
	_ = json.Unmarshal(metadata(d), o) // it was checked when it was written
	return o
}

// blocks reports whether the owner, deleted in the foreground, has to stay as long as o is there.
func (o *owned) blocks(owner string) bool {
	return slices.ContainsFunc(o.Owners, func(r reference) bool {
		return r.UID == owner && r.Blocks
	})
}

// follow does with an object what the state of its owners asks for. An owner whose type is not
// served, or that is in a namespace while the object is in none, cannot be looked up: then nothing
// is done.
func (reg *Registry) follow(ctx context.Context, o *owned, dependents []*owned) {
	var gone, waiting []string
	for _, r := range o.Owners {
		c := reg.kind(r.APIVersion, r.Kind)
		if c == nil || !c.Type.Cluster && o.in.Type.Cluster {
			return
		}
		namespace := o.doc.Namespace
		if c.Type.Cluster {
			namespace = ""
		}
		switch owner := c.Get(object.Key(namespace, r.Name)); {
		case owner == nil || owner.UID != r.UID:
			gone = append(gone, r.UID)
		case c.ownedAs(owner).waits(object.FinalizerForeground):
			waiting = append(waiting, r.UID)
		}
	}
	lost := append(gone, waiting...)
	switch {
	case len(lost) == 0:
	case len(lost) < len(o.Owners): // at least one stays
		o.disown(ctx, lost)
	case len(waiting) > 0 && len(dependents) > 0:
		isWaiting := func(d *owned) bool { return d.waits(object.FinalizerForeground) }
		if slices.ContainsFunc(dependents, isWaiting) {
			o.unblock(ctx) // the two may wait for each other
		}
		o.remove(ctx, foreground)
	case slices.Contains(o.Finalizers, object.FinalizerOrphan):
		o.remove(ctx, orphan)
	case slices.Contains(o.Finalizers, object.FinalizerForeground):
		o.remove(ctx, foreground)
	default:
		o.remove(ctx, background)
	}
}

// kind returns the collection of a kind, nil if it is not served.
func (reg *Registry) kind(apiVersion, kind string) *Collection {
	for _, c := range reg.catalog.Load().collections {
		if c.Type.Kind == kind && c.Type.APIVersion() == apiVersion {
			return c
		}
	}
	return nil
}

// remove deletes the object, if it is still the one that was looked at.
func (o *owned) remove(ctx context.Context, policy string) {
	what := Removal{Namespace: o.doc.Namespace, Name: o.doc.Name}
	what.Propagation = &policy
	what.Preconditions.Version = fmt.Sprint(o.doc.Version()) // it may have got another owner
	_, _, _ = o.in.Remove(ctx, what)                         // see collect
}

// orphan takes the reference to the object out of its dependents, and then its finalizer. A
// dependent that keeps the reference would be deleted.
func (o *owned) orphan(ctx context.Context, dependents []*owned) {
	for _, d := range dependents {
		if d.disown(ctx, []string{o.doc.UID}) != nil {
			return
		}
	}
	o.drop(ctx, object.FinalizerOrphan)
}

// drop takes a finalizer of the collector out of the object.
func (o *owned) drop(ctx context.Context, finalizer string) {
	_ = o.change(ctx, func(m object.Meta) {
		m.SetList("finalizers", slices.DeleteFunc(m.List("finalizers"),
			func(f string) bool { return f == finalizer }))
	})
}

// disown takes the references to owners out of the object.
func (o *owned) disown(ctx context.Context, owners []string) error {
	return o.change(ctx, func(m object.Meta) {
		m["ownerReferences"] = slices.DeleteFunc(object.At[[]any](object.Tree(m), ".ownerReferences"),
			func(r any) bool { return slices.Contains(owners, object.Meta(r.(object.Tree)).Text("uid")) })
	})
}

// unblock lets the owners of the object go before it.
func (o *owned) unblock(ctx context.Context) {
	_ = o.change(ctx, func(m object.Meta) {
		for _, r := range object.At[[]any](object.Tree(m), ".ownerReferences") {
			r.(object.Tree)["blockOwnerDeletion"] = false
		}
	})
}

// change changes the metadata of the object. The error is that it is not the same object any more,
// or that the change is refused.
func (o *owned) change(ctx context.Context, edit func(object.Meta)) error {
	u := Update{Namespace: o.doc.Namespace, Name: o.doc.Name}
	u.Change = func(present object.Tree) (object.Tree, error) {
		t := object.Copy(present).(object.Tree) // empty if there is none
		if object.MetaOf(t).Text("uid") != o.doc.UID {
			return nil, status.NotFound(o.in.Type.About(o.doc.Name))
		}
		edit(object.MetaOf(t))
		return t, nil
	}
	_, err := o.in.Update(ctx, u)
	return err
}
