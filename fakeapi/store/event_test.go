package store

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// What an event means to a watcher that selects the objects with the text "web".
func TestWhatAnEventMeansToASelection(t *testing.T) {
	web := func(o Object) bool { return o.(*thing).text == "web" }
	for _, c := range []struct {
		law           string
		kind          Type
		before, after string // "": there is none
		want          Type
	}{
		{"created within", Added, "", "web", Added},
		{"created outside", Added, "", "db", ""},
		{"changed within", Modified, "web", "web", Modified},
		{"changed outside", Modified, "db", "cache", ""},
		{"it enters: new to this watcher", Modified, "db", "web", Added},
		{"it leaves: gone for this watcher", Modified, "web", "db", Deleted},
		{"deleted within", Deleted, "web", "web", Deleted},
		{"deleted outside", Deleted, "db", "db", ""},
	} {
		var before Object
		if c.before != "" {
			before = &thing{text: c.before}
		}
		e := newEvent(c.kind, &thing{text: c.after}, before)
		assert.Equal(t, c.want, e.Seen(web), c.law)
		assert.Empty(t, e.Seen(func(Object) bool { return false }), "%s: nothing is selected", c.law)
		assert.Equal(t, c.kind, e.Seen(func(Object) bool { return true }), "%s: all is selected", c.law)
	}
}
