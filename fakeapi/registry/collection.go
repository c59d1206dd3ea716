package registry

import (
	"context"
	"strings"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/query"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/store"
)

// A Collection has the objects of one resource, in all namespaces, and what requests
// for them need.
type Collection struct {
	Type     *resource.Type
	Objects  *store.Collection // of *document
	registry *Registry

	// Changed is done when the resource's definition changes or is deleted; change ends it.
	Changed context.Context
	change  context.CancelFunc
}

// newCollection returns the collection of a resource, with the objects that there are already,
// if there are any.
func (r *Registry) newCollection(typ *resource.Type, objects *store.Collection) *Collection {
	if objects == nil {
		objects = r.store.NewCollection(typ.QualifiedName())
	}
	c := &Collection{Type: typ, Objects: objects, registry: r}
	c.Changed, c.change = context.WithCancel(context.Background())
	return c
}

// servedAs returns the collection for requests in version r of its resource. The versions
// may differ in whether status is a subresource or ordinary data.
func (c *Collection) servedAs(typ *resource.Type) *Collection {
	if typ.Status == c.Type.Status {
		return c
	}
	stored, same := *c.Type, *c
	stored.Status = typ.Status
	same.Type = &stored
	return &same
}

// Get returns the object that a key holds now, nil if none.
func (c *Collection) Get(key string) *object.Document {
	d, _ := c.Objects.Get(key).(*object.Document)
	return d
}

// The wording for versions that are no longer in the history.
const (
	listTooOld     = "The resourceVersion for the provided list is too old."
	continueTooOld = "The provided continue parameter is too old to display a consistent list " +
		"result. You can start a new list without the continue parameter, or use the continue " +
		"token in this response to retrieve the remainder of the results. Continuing with the " +
		"provided token results in an inconsistent list - objects that were created, modified, " +
		"or deleted between the time the first chunk was returned and now may show up in the list."
)

// Page reads the page that a plan asks for.
func (c *Collection) Page(plan query.Plan, sel *object.Selection) (object.Page, error) {
	if !plan.Past {
		return object.PageOf(c.Objects.Snapshot(), sel, plan.Start, plan.Limit), nil
	}
	past, err := c.Objects.SnapshotAt(plan.Version)
	switch {
	case err == nil:
		return object.PageOf(past, sel, plan.Start, plan.Limit), nil
	case plan.Start == "":
		return object.Page{}, status.Expired(listTooOld)
	}
	// The client may still read the rest of the list, but at a later version than
	// the pages before.
	gone := status.Expired(continueTooOld)
	key := strings.TrimSuffix(plan.Start, "\x00")
	gone.Metadata.Continue = query.ContinueAfter(query.AnyVersion, sel.Prefix(), key)
	return object.Page{}, gone
}
