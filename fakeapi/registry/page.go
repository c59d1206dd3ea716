package registry

import (
	"strings"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/query"
	"example.com/watchglass/fakeapi/status"
)

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
	if plan.Mode != query.ReadExact && plan.Mode != query.ReadContinue {
		return object.PageOf(c.Objects.Snapshot(), sel, plan.Start, plan.Limit), nil
	}
	past, err := c.Objects.SnapshotAt(plan.Version)
	switch {
	case err == nil:
		return object.PageOf(past, sel, plan.Start, plan.Limit), nil
	case plan.Mode == query.ReadExact:
		return object.Page{}, status.Expired(listTooOld)
	}
	// The client may still read the rest of the list, but at a later version than
	// the pages before.
	gone := status.Expired(continueTooOld)
	key := strings.TrimSuffix(plan.Start, "\x00")
	gone.Metadata.Continue = query.ContinueAfter(query.AnyVersion, sel.Prefix(), key)
	return object.Page{}, gone
}
