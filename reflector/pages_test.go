package reflector

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPages(t *testing.T) {
	first, second := page("5", "a", "web-1@3"), page("8", "b", "web-2@2")
	secrets := reply{list: &List{Kind: "SecretList"}}
	broken := errors.New("connection reset")
	for _, c := range []struct {
		law     string
		answers []reply
		asked   string
		paged   bool
		want    string // version and names, or the error
	}{
		{"a token leads to another page, at the version of the first, which the token holds",
			[]reply{first, second, list("8", "db-1@4")}, "list 5/10, page a/10, page b/10", true,
			"5 web-1 web-2 db-1"},
		{"a token that has expired leads to one request for everything, of which all pages are read",
			[]reply{first, {err: expired}, second, list("9", "db-1@4")},
			"list 5/10, page a/10, list 5, page b", true, "8 web-2 db-1"},
		{"if a token expires in the second attempt, there is no third",
			[]reply{first, {err: expired}, second, {err: expired}},
			"list 5/10, page a/10, list 5, page b", true, expired.Error()},
		{"if the first page is refused as expired, there is no second attempt",
			[]reply{{err: expired}}, "list 5/10", false, expired.Error()},
		{"after any other error there is no second attempt", []reply{first, {err: broken}},
			"list 5/10, page a/10", true, "connection reset"},
		{"a page of another kind is an error", []reply{first, secrets}, "list 5/10, page a/10", true,
			`cannot read list: a page is a "SecretList", the first was a "WidgetList"`},
	} {
		t.Run(c.law, func(t *testing.T) {
			s := newServer(t)
			for _, answer := range c.answers {
				s.replies <- answer
			}
			l, paged, err := listAll(t.Context(), s.List,
				ListOptions{Limit: 10, ResourceVersion: "5", ResourceVersionMatch: "Exact"})
			assert.Equal(t, c.asked, s.asked())
			assert.Equal(t, c.paged, paged)
			if err != nil {
				assert.EqualError(t, err, c.want)
				return
			}
			got := l.ResourceVersion
			for _, item := range l.Items {
				got += " " + item.GetName()
			}
			assert.Equal(t, c.want, got)
		})
	}
}

func TestPagesWithoutAnEnd(t *testing.T) {
	for _, c := range []struct {
		law, err string
		next     func(n int) reply // the page after n others
		most     int               // requests
	}{
		{"tokens that lead round in a circle are an error", "leads back to a page that was read before",
			func(n int) reply { return page("7", []string{"a", "b", "c"}[n%3], "web-1@5") }, 4},
		{"a hundred pages more than items are an error", "103 pages with 2 items, and no end",
			func(n int) reply {
				return page("7", fmt.Sprint(n), []string{"web-1@5", "web-2@6"}[min(2, 2*n):]...)
			}, 103},
	} {
		t.Run(c.law, func(t *testing.T) {
			asked := 0
			_, _, err := listAll(t.Context(), func(context.Context, ListOptions) (*List, error) {
				if asked++; asked > 1000 {
					return nil, errors.New("the list would never end")
				}
				return c.next(asked - 1).list, nil
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
			s, first := newServer(t), page("7", token, "web-1@5", "web-2@6", "web-3@7")
			first.list.Items = first.list.Items[:2] // there is room for one more
			kept, spare := first.list.Items[0], first.list.Items[2:3][0]
			s.replies <- first
			s.replies <- list("7", "db-1@4", "db-2@4", "db-3@4")
			whole, _, err := listAll(t.Context(), s.List, ListOptions{})
			assert.NoError(t, err)
			whole.Items[0] = nil // the store owns what it gets
			assert.Same(t, kept, first.list.Items[0])
			assert.Same(t, spare, first.list.Items[2:3][0])
		})
	}
}

func TestAListStopsBetweenPages(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	_, _, err := listAll(ctx, func(context.Context, ListOptions) (*List, error) {
		asked++
		cancel()
		return page("7", "a").list, nil
	}, ListOptions{Limit: 1})
	assert.Equal(t, context.Canceled, err)
	assert.Equal(t, 1, asked)
}
