package reflector

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// pages is a server: the pages or errors that it answers with, in turn, and the requests it got.
type pages struct {
	answers []any // *List or error
	asked   []string
	before  func()
}

func (p *pages) list(_ context.Context, o ListOptions) (*List, error) {
	p.asked = append(p.asked, fmt.Sprintf("%s%s limit=%d %s", o.ResourceVersion,
		o.ResourceVersionMatch, o.Limit, o.Continue))
	if p.before != nil {
		p.before()
	}
	next := p.answers[0]
	p.answers = p.answers[1:]
	if err, ok := next.(error); ok {
		return nil, err
	}
	return next.(*List), nil
}

// pageOf makes a page of n objects.
func pageOf(version, token string, n int) *List {
	l := &List{ResourceVersion: version, Continue: token}
	for range n {
		l.Items = append(l.Items, &widget{})
	}
	return l
}

func TestPages(t *testing.T) {
	expired := &StatusError{Code: 410, Reason: "Expired"}
	broken := errors.New("connection reset")
	for _, c := range []struct {
		says    string
		opts    ListOptions
		answers []any
		asked   []string
		items   int
		version string
		paged   bool
		err     error
	}{
		{says: "an empty collection is one page", opts: ListOptions{Limit: 10},
			answers: []any{pageOf("7", "", 0)}, asked: []string{" limit=10 "}, version: "7"},
		{says: "a collection of one object is one page", opts: ListOptions{Limit: 10},
			answers: []any{pageOf("7", "", 1)}, asked: []string{" limit=10 "}, items: 1, version: "7"},
		{says: "a full page without a token is the last page", opts: ListOptions{Limit: 10},
			answers: []any{pageOf("7", "", 10)}, asked: []string{" limit=10 "}, items: 10, version: "7"},
		{says: "a token leads to another page; the version is the first one's",
			opts:    ListOptions{Limit: 10},
			answers: []any{pageOf("7", "a", 10), pageOf("8", "", 1)},
			asked:   []string{" limit=10 ", " limit=10 a"}, items: 11, version: "7", paged: true},
		{says: "a page without items may have a token as well", opts: ListOptions{Limit: 10},
			answers: []any{pageOf("7", "a", 10), pageOf("7", "b", 0), pageOf("7", "", 10)},
			asked:   []string{" limit=10 ", " limit=10 a", " limit=10 b"},
			items:   20, version: "7", paged: true},
		{says: "a request with a token does not repeat the version, which the token holds",
			opts:    ListOptions{Limit: 10, ResourceVersion: "5", ResourceVersionMatch: "Exact"},
			answers: []any{pageOf("5", "a", 10), pageOf("5", "", 1)},
			asked:   []string{"5Exact limit=10 ", " limit=10 a"}, items: 11, version: "5", paged: true},
		{says: "a server may send pages although it was not asked for them",
			answers: []any{pageOf("7", "a", 10), pageOf("7", "", 1)},
			asked:   []string{" limit=0 ", " limit=0 a"}, items: 11, version: "7", paged: true},
		{says: "a token that has expired leads to one request for everything, at the original version",
			opts:    ListOptions{Limit: 10, ResourceVersion: "5", ResourceVersionMatch: "Exact"},
			answers: []any{pageOf("5", "a", 10), expired, pageOf("5", "", 11)},
			asked:   []string{"5Exact limit=10 ", " limit=10 a", "5Exact limit=0 "},
			items:   11, version: "5", paged: true},
		{says: "if that request is answered in pages too, all of them are read",
			opts:    ListOptions{Limit: 10},
			answers: []any{pageOf("7", "a", 10), expired, pageOf("8", "b", 10), pageOf("8", "", 1)},
			asked:   []string{" limit=10 ", " limit=10 a", " limit=0 ", " limit=0 b"},
			items:   11, version: "8", paged: true},
		{says: "if a token expires in the second attempt, there is no third",
			opts:    ListOptions{Limit: 10},
			answers: []any{pageOf("7", "a", 10), expired, pageOf("8", "b", 10), expired},
			asked:   []string{" limit=10 ", " limit=10 a", " limit=0 ", " limit=0 b"},
			paged:   true, err: expired},
		{says: "if the second attempt fails, there is no third", opts: ListOptions{Limit: 10},
			answers: []any{pageOf("7", "a", 10), expired, expired},
			asked:   []string{" limit=10 ", " limit=10 a", " limit=0 "}, paged: true, err: expired},
		{says: "if the first page is refused as expired, there is no second attempt",
			opts:    ListOptions{Limit: 10, ResourceVersion: "5"},
			answers: []any{expired}, asked: []string{"5 limit=10 "}, err: expired},
		{says: "after any other error there is no second attempt", opts: ListOptions{Limit: 10},
			answers: []any{pageOf("7", "a", 10), broken},
			asked:   []string{" limit=10 ", " limit=10 a"}, paged: true, err: broken},
	} {
		p := &pages{answers: c.answers}
		l, paged, err := listAll(t.Context(), p.list, c.opts)
		assert.Equal(t, c.asked, p.asked, c.says)
		assert.Equal(t, c.paged, paged, c.says)
		assert.Equal(t, c.err, err, c.says)
		if c.err != nil {
			continue
		}
		assert.Len(t, l.Items, c.items, c.says)
		assert.Equal(t, c.version, l.ResourceVersion, c.says)
	}
}

func TestPagesWithoutAnEnd(t *testing.T) {
	for _, c := range []struct {
		says, err string
		next      func(n int) *List // the page after n others
		most      int               // requests
	}{
		{"a token that leads to its own page", "leads back to a page that was read before",
			func(int) *List { return pageOf("7", "a", 1) }, 2},
		{"tokens that lead round in a circle", "leads back to a page that was read before",
			func(n int) *List { return pageOf("7", []string{"a", "b", "c"}[n%3], 1) }, 4},
		{"pages without items that always have a new token", "101 pages with 0 items, and no end",
			func(n int) *List { return pageOf("7", fmt.Sprint("t", n), 0) }, 101},
	} {
		asked := 0
		_, _, err := listAll(t.Context(), func(context.Context, ListOptions) (*List, error) {
			if asked++; asked > 1000 {
				return nil, errors.New("the list would never end")
			}
			return c.next(asked - 1), nil
		}, ListOptions{Limit: 1})
		assert.ErrorContains(t, err, c.err, c.says)
		assert.Equal(t, c.most, asked, c.says)
	}
}

func TestPagesOfTwoKinds(t *testing.T) {
	pods, secrets := pageOf("7", "a", 1), pageOf("7", "", 1)
	pods.Kind, secrets.Kind = "PodList", "SecretList"
	p := &pages{answers: []any{pods, secrets}}
	_, _, err := listAll(t.Context(), p.list, ListOptions{Limit: 1})
	assert.EqualError(t, err, `cannot read list: a page is a "SecretList", the first was a "PodList"`)
}

func TestPagesStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := &pages{answers: []any{pageOf("7", "a", 1), pageOf("7", "", 1)}, before: cancel}
	_, _, err := listAll(ctx, p.list, ListOptions{Limit: 1})
	assert.Equal(t, context.Canceled, err, "after the context has ended there is no second page")
	assert.Len(t, p.asked, 1)
	_, _, err = listAll(ctx, p.list, ListOptions{Limit: 1})
	assert.Equal(t, context.Canceled, err, "after the context has ended there is no first page")
	assert.Len(t, p.asked, 1)
}

func TestPagesBelongToTheListerWatcher(t *testing.T) {
	first := pageOf("7", "a", 1)
	first.Items = slices.Grow(first.Items, 1)
	want, spare := *first, first.Items[:2]
	p := &pages{answers: []any{first, pageOf("7", "", 1)}}
	l, _, err := listAll(t.Context(), p.list, ListOptions{Limit: 1})
	assert.NoError(t, err)
	l.Items[0] = nil // the store owns what it gets
	assert.Equal(t, want, *first, "a page is not changed, so a ListerWatcher may return it again")
	assert.NotNil(t, first.Items[0])
	assert.Nil(t, spare[1], "nothing is appended to a page")
}
