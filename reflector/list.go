package reflector

import (
	"context"
	"fmt"
	"time"

	"example.com/watchglass"
)

// list fetches the whole collection and puts it into the store.
func (r *Reflector) list(ctx context.Context, state State) error {
	r.streamBy = time.Time{} // the next series of streaming lists has its time anew
	asked := listVersion(state, r.LastSyncResourceVersion())
	opts := ListOptions{ResourceVersion: asked, Limit: r.memory.pageSize(r.opts.PageSize, asked)}
	whole, paged, err := listAll(ctx, r.listPage, opts)
	if err != nil {
		return err
	}
	return r.replace(whole.Items, asked, whole.ResourceVersion, paged)
}

// replace hands the store a whole collection that was asked for at one version and came back at
// another.
func (r *Reflector) replace(items []watchglass.Object, asked, version string, paged bool) error {
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

// listPage makes one request. It is given up after a time: while a server that stopped answering
// kept the reflector waiting, the store would be stale.
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
	anyVersion = "0" // whatever the server has at hand
	usualPage  = 500 // objects
	noLimit    = 0   // everything in one document
)

// listVersion is the version to ask a list for. A version that is known keeps the list from going
// back in time, which one at "0" may do where a server lags behind.
func listVersion(state State, last string) string {
	switch {
	case state == ListingLatest:
		return ""
	case last == "":
		return anyVersion
	}
	return last
}

// pageSize is the limit to ask a list at version for. A limit together with a version means exactly
// that version, which the server must fetch from its database, if it still can; without a limit
// it means at least that version, for which the cache will do.
func (m *memory) pageSize(configured int64, version string) int64 {
	switch {
	case configured != 0:
		return configured
	case m.paged, version == "", version == anyVersion:
		return usualPage
	}
	return noLimit
}

// learn remembers a list that was asked for at one version and answered with another.
func (m *memory) learn(asked, answered string, paged bool) {
	m.paged = m.paged || paged && asked == anyVersion
	m.asked, m.answered = asked, answered
}

// stuck reports whether version is where a list has led that was asked for that same version. If a
// watch from there is refused as too old, then another such list leads nowhere: this is how clients
// came to list for ever, with pages and therefore exactly the version that had expired
// (https://github.com/kubernetes/kubernetes/issues/133810).
func (m *memory) stuck(version string) bool {
	return version != "" && m.asked == version && m.answered == version
}

// listAll asks for page after page and puts them together. paged reports whether there was more
// than one. The version is that of the first page; the server serves all others from it.
//
// A continue token expires after some minutes, as history does. Then everything is asked for once
// more, in one document, because pages may not be any faster the second time. Where the server
// sends pages even so, they are followed: half a list would delete the other half.
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

// all returns all pages as one.
func (p *pager) all(ctx context.Context, opts ListOptions) (*List, error) {
	whole, err := p.page(ctx, opts)
	if err != nil {
		return nil, err
	}
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
	return whole, nil
}

// page returns one page. Tokens that lead back to where they came from would be followed for ever,
// and so would pages without an end that bring nothing.
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
