package reflector

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
)

// listFunc asks for one page.
type listFunc func(context.Context, ListOptions) (*List, error)

// listAll asks for page after page, puts them together, and reports whether there were several. The
// version is that of the first page; the server serves all others from it.
//
// A continue token expires after some minutes, as history does. Then listAll asks once more for
// everything, in one document, because pages may not be any faster the second time. If the server
// sends pages nevertheless, listAll fetches all of them: half a list would delete the other half.
func listAll(ctx context.Context, list listFunc, opts ListOptions) (*List, bool, error) {
	whole, paged, err := followPages(ctx, list, opts)
	if paged && IsExpired(err) {
		opts.Limit = noLimit
		whole, _, err = followPages(ctx, list, opts)
	}
	return whole, paged, err
}

const (
	noLimit       = 0   // everything in one document
	maxEmptyPages = 100 // how many pages of a list there may be more than items
)

// followPages follows continue tokens. It returns an error for a token that was followed before,
// and for too many pages without items: otherwise a server could keep the reflector listing
// forever. Pages belong to the ListerWatcher, so their items are copied.
func followPages(ctx context.Context, list listFunc, opts ListOptions) (*List, bool, error) {
	var whole *List
	seen := map[[sha256.Size]byte]bool{} // hashes: a token may have megabytes
	for ctx.Err() == nil {
		page, err := list(ctx, opts)
		if err != nil {
			return nil, len(seen) > 0, err
		}
		if whole == nil {
			whole = &List{Kind: page.Kind, ResourceVersion: page.ResourceVersion}
		}
		whole.Items = append(whole.Items, page.Items...)
		next := sha256.Sum256([]byte(page.Continue))
		switch {
		case page.Kind != whole.Kind:
			err = fmt.Errorf("a page is a %.25q, the first was a %.25q", page.Kind, whole.Kind)
		case page.Continue == "":
			return whole, len(seen) > 0, nil
		case seen[next]:
			err = errors.New("a continue token leads back to a page that was read before")
		case len(seen) >= len(whole.Items)+maxEmptyPages:
			err = fmt.Errorf("%d pages with %d items, and no end", len(seen)+1, len(whole.Items))
		}
		if err != nil {
			return nil, true, &DecodeError{What: "list", Err: err}
		}
		seen[next] = true
		// The token holds the version; a server refuses both together.
		opts = ListOptions{Limit: opts.Limit, Continue: page.Continue}
	}
	return nil, false, ctx.Err()
}
