package reflector

import (
	"context"
	"errors"
)

// list fetches the whole collection and puts it into the store. The version is recorded only when
// the store has it all: whoever sees the version may rely on the content.
func (r *Reflector) list(ctx context.Context, state State) error {
	version := listVersion(state, r.LastSyncResourceVersion())
	opts := ListOptions{
		ResourceVersion: version,
		Limit:           r.memory.pageSize(r.opts.PageSize, version),
	}
	list, paged, err := listAll(ctx, r.listPage, opts)
	if err != nil {
		return err
	}
	r.memory.learn(version, list.ResourceVersion, paged)
	count := len(list.Items)
	if err := r.opts.Store.Replace(list.Items, list.ResourceVersion); err != nil {
		return refusedList(list.ResourceVersion, err)
	}
	r.setVersion(list.ResourceVersion)
	r.lost.Store(0)
	r.opts.Trace.listed(count, list.ResourceVersion, paged)
	return nil
}

func refusedList(version string, err error) error {
	return &StoreError{Event: Event{ResourceVersion: version}, Err: err}
}

// listPage makes one request. It is given up after a time: a server that died without a word would
// otherwise leave the reflector waiting, and its store stale, for as long as the process lives.
func (r *Reflector) listPage(ctx context.Context, opts ListOptions) (*List, error) {
	r.opts.Trace.listing(opts)
	ctx, cancel := context.WithTimeoutCause(ctx, r.opts.ListTimeout, ErrListTimeout)
	defer cancel()
	list, err := r.opts.ListerWatcher.List(ctx, opts)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx) // and not what the connection made of it
	}
	return list, err
}

// listAll asks for page after page and puts them together. paged reports whether there was more
// than one. The version is that of the first page; the server serves all others from it.
//
// A continue token expires after some minutes, as history does. Then everything is asked for once
// more, at once, since there is no telling whether pages would be any faster the second time. Where
// the server sends pages even so, they are followed: half a list would delete the other half.
func listAll(
	ctx context.Context, list func(context.Context, ListOptions) (*List, error), opts ListOptions,
) (whole *List, paged bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	whole, err = list(ctx, opts)
	if err != nil || whole.Continue == "" {
		return whole, false, err
	}
	page := ListOptions{Limit: opts.Limit, Continue: whole.Continue} // the token holds the version
	again := false
	for page.Continue != "" {
		if err := ctx.Err(); err != nil {
			return nil, true, err
		}
		more, err := list(ctx, page)
		switch {
		case IsExpired(err) && !again:
			again, opts.Limit = true, noLimit
			if whole, err = list(ctx, opts); err != nil {
				return whole, true, err
			}
			page = ListOptions{Continue: whole.Continue}
			continue
		case err != nil:
			return nil, true, err
		case more.Continue == page.Continue:
			return nil, true, &DecodeError{What: "list", Err: errCircle}
		}
		whole.Items = append(whole.Items, more.Items...)
		page.Continue = more.Continue
	}
	whole.Continue = ""
	return whole, true, nil
}

var errCircle = errors.New("the continue token of a page leads to that same page")
