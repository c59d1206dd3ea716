package reflector

import (
	"context"
	"fmt"
	"slices"

	"example.com/watchglass"
)

// ConsistencyError says that a streaming list and a list at the same version were not the same: the
// server, or a proxy on the way, left something out or sent something old. The objects are named by
// key. The reflector goes on with what was streamed.
type ConsistencyError struct {
	ResourceVersion string
	Missing         []string // listed, but not streamed
	Extra           []string // streamed, but not listed
	Different       []string // both, at different versions
}

// Error says how many objects differed in which way, and names the first of each.
func (e *ConsistencyError) Error() string {
	return fmt.Sprintf("streaming list at resourceVersion %q differs from a list at that version: "+
		"%s missing, %s extra, %s different", e.ResourceVersion,
		some(e.Missing), some(e.Extra), some(e.Different))
}

// some formats keys for Error, for example "2 (shop/web-1, …)".
func some(keys []string) string {
	switch len(keys) {
	case 0:
		return "0"
	case 1:
		return fmt.Sprintf("1 (%s)", keys[0])
	}
	return fmt.Sprintf("%d (%s, …)", len(keys), keys[0])
}

// checkConsistency lists the collection at exactly the version that a streaming list has come to,
// compares the two and reports a difference; see [Options.CheckConsistency]. A check that fails,
// for example because the version has expired, is reported as well.
func (r *Reflector) checkConsistency(
	ctx context.Context, streamed []watchglass.Object, version string,
) {
	exact := ListOptions{ResourceVersion: version, ResourceVersionMatch: "Exact"}
	listed, _, err := listAll(ctx, r.listPage, exact)
	if err == nil {
		err = compare(streamed, listed.Items, version)
	}
	if err != nil {
		err = fmt.Errorf("%s: consistency check: %w", r.opts.Name, err)
		r.report(err)
	}
	if r.trace.Compared != nil {
		r.trace.Compared(version, err)
	}
}

// compare returns nil or a [*ConsistencyError]. Objects at the same version are the same, so their
// content need not be looked at.
func compare(streamed, listed []watchglass.Object, version string) error {
	e := &ConsistencyError{ResourceVersion: version}
	versions := map[string]string{} // of what was streamed and is not yet found in the list
	for _, obj := range streamed {
		key, _ := watchglass.MetaNamespaceKeyFunc(obj) // no stream or list has one without a name
		versions[key] = obj.GetResourceVersion()
	}
	for _, obj := range listed {
		key, _ := watchglass.MetaNamespaceKeyFunc(obj)
		switch have, ok := versions[key]; {
		case !ok:
			e.Missing = append(e.Missing, key)
		case have != obj.GetResourceVersion():
			e.Different = append(e.Different, key)
		}
		delete(versions, key)
	}
	for key := range versions {
		e.Extra = append(e.Extra, key)
	}
	if len(e.Missing)+len(e.Extra)+len(e.Different) == 0 {
		return nil
	}
	slices.Sort(e.Extra) // it comes from a map; the others are in the order of the list
	return e
}
