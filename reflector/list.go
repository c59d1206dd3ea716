package reflector

import (
	"context"
	"fmt"
	"slices"
	"time"

	"example.com/watchglass"
)

// list fetches the whole collection and puts it into the store.
func (r *Reflector) list(ctx context.Context, state State) error {
	r.streamBy = time.Time{} // the next series of streaming lists gets its own time limit
	asked := listVersion(state, r.LastSyncResourceVersion())
	opts := ListOptions{ResourceVersion: asked, Limit: r.memory.pageSize(r.opts.PageSize, asked)}
	whole, paged, err := listAll(ctx, r.listPage, opts)
	if err != nil {
		return err
	}
	return r.replace(ctx, whole.Items, asked, whole.ResourceVersion, paged)
}

// replace gives the store a whole collection. It was asked for at the version asked, and the server
// returned it at version. After ctx has ended the store gets nothing any more: it may be closed.
func (r *Reflector) replace(
	ctx context.Context, items []watchglass.Object, asked, version string, paged bool,
) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if r.trace.Listed != nil {
		r.trace.Listed(len(items), version, paged)
	}
	r.memory.learn(asked, version, paged)
	if err := r.opts.Store.Replace(items, version); err != nil {
		return &StoreError{Event: Event{ResourceVersion: version}, Err: err}
	}
	r.record(version)
	return nil
}

// listPage makes one request and waits no longer than ListTimeout for it. Otherwise a server that
// stops answering would make the reflector wait for ever, and the store would become stale.
func (r *Reflector) listPage(ctx context.Context, opts ListOptions) (*List, error) {
	if r.trace.Listing != nil {
		r.trace.Listing(opts)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, r.opts.ListTimeout, ErrListTimeout)
	defer cancel()
	page, err := r.opts.ListerWatcher.List(ctx, opts)
	return page, reason(ctx, err)
}

// memory is what a reflector remembers from one list to the next, besides the version itself.
type memory struct {
	// paged: a list at "0" came in pages, so the server has no cache to answer from, and pages cost
	// it nothing extra. It never becomes false again.
	paged bool
	// asked and answered are the versions of the last list that was complete.
	asked, answered string
}

const (
	anyVersion = "0" // any state that the server has at hand
	usualPage  = 500 // objects
	noLimit    = 0   // everything in one document
)

// listVersion is the version to list at. With the last known version, the list is at least as new
// as the store. A list at "0" could be older, if the server's cache lags behind.
func listVersion(state State, last string) string {
	switch {
	case state == ListingLatest:
		return ""
	case last == "":
		return anyVersion
	}
	return last
}

// pageSize is the limit of a list at version. With a limit, the server returns exactly that
// version, which it must read from its database, and it may have it no longer. Without a limit it
// returns that version or a newer one from its cache.
func (m *memory) pageSize(configured int64, version string) int64 {
	switch {
	case configured != 0:
		return configured
	case m.paged, version == "", version == anyVersion:
		return usualPage
	}
	return noLimit
}

// learn remembers the version that a list was asked for, the one it returned, and whether it was
// paged.
func (m *memory) learn(asked, answered string, paged bool) {
	m.paged = m.paged || paged && asked == anyVersion
	m.asked, m.answered = asked, answered
}

// stuck reports whether the last list was asked for at version and returned that same version. If a
// watch from version is then refused as too old, another such list does not help. This is how
// clients came to list for ever: they listed with pages, and therefore got exactly the version that
// had expired (https://github.com/kubernetes/kubernetes/issues/133810).
func (m *memory) stuck(version string) bool {
	return version != "" && m.asked == version && m.answered == version
}

// listAll asks for page after page and puts them together. paged reports whether there was more
// than one. The version is that of the first page; the server serves all others from it.
//
// A continue token expires after some minutes, as history does. Then listAll asks once more for
// everything, in one document, because pages may not be any faster the second time. If the server
// sends pages nevertheless, listAll fetches all of them: half a list would delete the other half.
func listAll(
	ctx context.Context, list func(context.Context, ListOptions) (*List, error), opts ListOptions,
) (whole *List, paged bool, err error) {
	pages := newPager(list)
	whole, err = pages.all(ctx, opts)
	paged = len(pages.seen) > 0
	if paged && IsExpired(err) {
		opts.Limit = noLimit
		whole, err = newPager(list).all(ctx, opts)
	}
	return whole, paged, err
}

// pager follows continue tokens.
type pager struct {
	list  func(context.Context, ListOptions) (*List, error)
	seen  map[string]bool // tokens that were followed
	empty int             // pages without an item that had a token
}

func newPager(list func(context.Context, ListOptions) (*List, error)) *pager {
	return &pager{list: list, seen: map[string]bool{}}
}

// maxEmptyPages is how many pages of a list may bring nothing but the token of another page.
const maxEmptyPages = 100

// all returns all pages as one. Pages belong to the ListerWatcher, so their items are copied.
func (p *pager) all(ctx context.Context, opts ListOptions) (*List, error) {
	first, err := p.page(ctx, opts)
	if err != nil {
		return nil, err
	}
	whole := *first
	whole.Items = slices.Clone(first.Items)
	for whole.Continue != "" {
		// The token holds the version; a server refuses both together.
		opts = ListOptions{Limit: opts.Limit, Continue: whole.Continue}
		more, err := p.page(ctx, opts)
		if err != nil {
			return nil, err
		}
		if more.Kind != whole.Kind {
			return nil, p.bad("a page is a %q, the first was a %q", more.Kind, whole.Kind)
		}
		whole.Items = append(whole.Items, more.Items...)
		whole.Continue = more.Continue
	}
	return &whole, nil
}

// page returns one page. It returns an error for a token that was followed before, and for too many
// pages without items: otherwise a server could keep the reflector listing for ever.
func (p *pager) page(ctx context.Context, opts ListOptions) (*List, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if p.seen[opts.Continue] {
		return nil, p.bad("a continue token leads back to a page that was read before")
	}
	if opts.Continue != "" {
		p.seen[opts.Continue] = true
	}
	page, err := p.list(ctx, opts)
	if err != nil || page.Continue == "" || len(page.Items) > 0 {
		return page, err
	}
	if p.empty++; p.empty > maxEmptyPages {
		return nil, p.bad("%d pages without an item, and no end", p.empty)
	}
	return page, nil
}

func (p *pager) bad(format string, args ...any) error {
	return &DecodeError{What: "list", Err: fmt.Errorf(format, args...)}
}
