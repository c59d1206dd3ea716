package processor

import (
	"strings"
	"testing"

	"example.com/watchglass"
	"github.com/stretchr/testify/assert"
)

func TestFilteringHandler(t *testing.T) {
	in, in2, out, out2 := pod("web-1", "1"), pod("web-1", "2"), pod("db-1", "1"), pod("db-1", "2")
	onlyWeb := func(obj watchglass.Object) bool { return strings.HasPrefix(obj.GetName(), "web") }
	for _, law := range []struct {
		promise string
		n       Notification
		want    string
	}{
		{"an add that passes is an add", AddNotification(in, false), "add web-1"},
		{"... and keeps its flag", AddNotification(in, true), "initial web-1"},
		{"an add that does not pass is nothing", AddNotification(out, true), ""},
		{"a delete that passes is a delete", DeleteNotification(in), "delete web-1"},
		{"a delete that does not pass is nothing", DeleteNotification(out), ""},
		{"an update within is an update", UpdateNotification(in, in2), "update web-1 1→2"},
		{"an update into it is an add", UpdateNotification(out, in2), "add web-1"},
		{"an update out of it deletes the old state", UpdateNotification(in, out), "delete web-1"},
		{"an update outside is nothing", UpdateNotification(out, out2), ""},
	} {
		r := &recorder{}
		law.n.callOn(FilteringResourceEventHandler{FilterFunc: onlyWeb, Handler: r})
		assert.Equal(t, law.want, r.heard(), law.promise)
	}
	r := &recorder{}
	DeleteNotification(out).call(FilteringResourceEventHandler{Handler: r})
	assert.Equal(t, "delete db-1", r.heard(), "without FilterFunc all objects pass")
}

func (n Notification) call(h ResourceEventHandler) { n.callOn(h) }

func TestHandlerFuncs(t *testing.T) {
	r := &recorder{}
	all := ResourceEventHandlerFuncs{
		AddFunc: r.OnAdd, UpdateFunc: r.OnUpdate, DeleteFunc: r.OnDelete,
	}
	silent := ResourceEventHandlerFuncs{}
	for _, h := range []ResourceEventHandler{all, silent} {
		AddNotification(pod("web-1", "1"), true).call(h)
		UpdateNotification(pod("web-1", "1"), pod("web-1", "2")).call(h)
		DeleteNotification(pod("web-1", "2")).call(h)
	}
	assert.Equal(t, "initial web-1, update web-1 1→2, delete web-1", r.heard())
}

func TestNotification(t *testing.T) {
	web := pod("web-1", "5")
	web.Namespace = "default"
	for want, n := range map[string]Notification{
		"add default/web-1 @5":           AddNotification(web, false),
		"add default/web-1 @5 (initial)": AddNotification(web, true),
		"update default/web-1 @5→@5":     UpdateNotification(web, web),
		"delete default/web-1 @5":        DeleteNotification(web),
		"kind 0":                         {},
		"add ? @?":                       {Kind: Add},
		"delete ? @":                     DeleteNotification(&testObject{}),
	} {
		assert.Equal(t, want, n.String())
	}
	assert.Panics(t, func() { Notification{}.call(&recorder{}) }, "a kind that is none")
}
