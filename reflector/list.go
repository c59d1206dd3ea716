package reflector

import (
	"cmp"
	"context"
	"time"
)

// list fetches the whole collection by a list and puts it into the store.
func (r *Reflector) list(ctx context.Context) error {
	r.streams = 0 // the next series of streaming lists has its own attempts
	asked := listVersion(r.LastSyncResourceVersion(), r.latest)
	opts := ListOptions{ResourceVersion: asked, Limit: r.pageSize(asked)}
	whole, paged, err := listAll(ctx, r.listPage, opts)
	if err != nil {
		return err
	}
	return r.replace(ctx, whole, asked, paged)
}

// listPage makes one request and gives it up when the server has been silent for listTimeout.
// Otherwise a server that stops answering would make the reflector wait forever, and the store
// would become stale.
func (r *Reflector) listPage(ctx context.Context, opts ListOptions) (*List, error) {
	if r.trace.Listing != nil {
		r.trace.Listing(opts)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := time.AfterFunc(listTimeout, func() { cancel(ErrListTimeout) })
	defer silence.Stop()
	opts.Progress = func() { silence.Reset(listTimeout) }
	page, err := r.config.ListerWatcher.List(ctx, opts)
	if err == nil && page == nil {
		err = noAnswer("list")
	}
	return page, endCause(ctx, err)
}

// replace gives the store a whole collection, which was asked for at the version asked. This ends a
// fetch. After ctx has ended the store gets nothing any more: it may be closed already.
func (r *Reflector) replace(ctx context.Context, whole *List, asked string, paged bool) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	version := whole.ResourceVersion
	if r.trace.Listed != nil {
		r.trace.Listed(len(whole.Items), version, paged)
	}
	r.paged = r.paged || paged && asked == anyVersion
	if asked == version {
		r.stuckAt = version
	}
	err := r.config.Store.Replace(whole.Items, version)
	if err := r.refused(Event{ResourceVersion: version}, err); err != nil {
		return err
	}
	r.record(version)
	r.latest = false
	return nil
}

const usualPage = 500 // objects

// listVersion returns the version to list at: the last known one, so that the list is at least as
// new as the store. A list at "0" could be older, if the server's cache lags behind. A list at ""
// is of the latest state.
func listVersion(last string, latest bool) string {
	if latest {
		return ""
	}
	return cmp.Or(last, anyVersion)
}

// pageSize returns the limit of a list at version. With a limit, the server returns exactly that
// version, which it may have no longer (and which servers before 1.34 read from their database).
// Without a limit it returns that version or a newer one, from its cache.
func (r *Reflector) pageSize(version string) int64 {
	known := version != "" && version != anyVersion
	if r.config.PageSize == 0 && known && !r.paged {
		return noLimit
	}
	return cmp.Or(r.config.PageSize, usualPage)
}
