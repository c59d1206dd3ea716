package reflector

import (
	"context"
	"errors"
	"fmt"
	"strings"
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
	p.asked = append(p.asked, strings.TrimSpace(fmt.Sprintf("%s%s /%d %s", o.ResourceVersion,
		o.ResourceVersionMatch, o.Limit, o.Continue)))
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
	l := &List{Kind: "PodList", ResourceVersion: version, Continue: token}
	for range n {
		l.Items = append(l.Items, &widget{})
	}
	return l
}

func TestPages(t *testing.T) {
	broken := errors.New("connection reset")
	secrets := pageOf("7", "", 1)
	secrets.Kind = "SecretList"
	first := pageOf("5", "a", 10)
	at5 := ListOptions{Limit: 10, ResourceVersion: "5", ResourceVersionMatch: "Exact"}
	for _, c := range []struct {
		law     string
		opts    ListOptions
		answers []any
		asked   string
		items   int
		version string // "" if there is an error
		paged   bool
		err     string
	}{
		{law: "a token leads to another page, at the version of the first, which the token holds",
			opts: at5, answers: []any{first, pageOf("8", "b", 0), pageOf("8", "", 1)},
			asked: "5Exact /10, /10 a, /10 b", items: 11, version: "5", paged: true},
		{law: "a token that has expired leads to one request for everything, of which all pages are read",
			opts: at5, answers: []any{first, expired, pageOf("8", "b", 10), pageOf("8", "", 1)},
			asked: "5Exact /10, /10 a, 5Exact /0, /0 b", items: 11, version: "8", paged: true},
		{law: "if a token expires in the second attempt, there is no third", opts: at5,
			answers: []any{first, expired, pageOf("8", "b", 10), expired},
			asked:   "5Exact /10, /10 a, 5Exact /0, /0 b", paged: true, err: "410 Expired"},
		{law: "if the first page is refused as expired, there is no second attempt", opts: at5,
			answers: []any{expired}, asked: "5Exact /10", err: "410 Expired"},
		{law: "after any other error there is no second attempt", opts: at5,
			answers: []any{first, broken}, asked: "5Exact /10, /10 a", paged: true, err: "connection reset"},
		{law: "a page of another kind is an error", opts: at5, paged: true,
			answers: []any{first, secrets}, asked: "5Exact /10, /10 a",
			err: `cannot read list: a page is a "SecretList", the first was a "PodList"`},
	} {
		t.Run(c.law, func(t *testing.T) {
			p := &pages{answers: c.answers}
			l, paged, err := listAll(t.Context(), p.list, c.opts)
			assert.Equal(t, c.asked, strings.Join(p.asked, ", "))
			assert.Equal(t, c.paged, paged)
			if c.err != "" {
				assert.ErrorContains(t, err, c.err)
				return
			}
			assert.NoError(t, err)
			assert.Len(t, l.Items, c.items)
			assert.Equal(t, c.version, l.ResourceVersion)
			assert.Equal(t, "PodList", l.Kind)
		})
	}
}

func TestPagesWithoutAnEnd(t *testing.T) {
	for _, c := range []struct {
		law, err string
		next     func(n int) *List // the page after n others
		most     int               // requests
	}{
		{"tokens that lead round in a circle are an error", "leads back to a page that was read before",
			func(n int) *List { return pageOf("7", []string{"a", "b", "c"}[n%3], 1) }, 4},
		{"a hundred pages more than items are an error", "103 pages with 2 items, and no end",
			func(n int) *List { return pageOf("7", fmt.Sprint("t", n), max(0, 2-n)*(1-n)) }, 103},
	} {
		t.Run(c.law, func(t *testing.T) {
			asked := 0
			_, _, err := listAll(t.Context(), func(context.Context, ListOptions) (*List, error) {
				if asked++; asked > 1000 {
					return nil, errors.New("the list would never end")
				}
				return c.next(asked - 1), nil
			}, ListOptions{Limit: 1})
			assert.ErrorContains(t, err, c.err)
			assert.Equal(t, c.most, asked)
		})
	}
}

func TestAPageBelongsToTheListerWatcher(t *testing.T) {
	for law, token := range map[string]string{
		"the only page is copied": "", "the first page, too": "a",
	} {
		t.Run(law, func(t *testing.T) {
			first := pageOf("7", token, 3)
			first.Items = first.Items[:2] // there is room for one more
			kept, spare := first.Items[0], first.Items[2:3][0]
			p := &pages{answers: []any{first, pageOf("7", "", 3)}}
			whole, _, err := listAll(t.Context(), p.list, ListOptions{})
			assert.NoError(t, err)
			whole.Items[0] = nil // the store owns what it gets
			assert.Same(t, kept, first.Items[0])
			assert.Same(t, spare, first.Items[2:3][0])
		})
	}
}

func TestAListStopsBetweenPages(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := &pages{answers: []any{pageOf("7", "a", 1), pageOf("7", "", 1)}, before: cancel}
	_, _, err := listAll(ctx, p.list, ListOptions{Limit: 1})
	assert.Equal(t, context.Canceled, err)
	assert.Len(t, p.asked, 1)
}
