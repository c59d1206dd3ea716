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
		{"an add that passes keeps isInInitialList", AddNotification(in, true), "initial web-1"},
		{"an add that does not pass is left out", AddNotification(out, true), ""},
		{"a delete that passes is a delete", DeleteNotification(in), "delete web-1"},
		{"a delete that does not pass is left out", DeleteNotification(out), ""},
		{"if both states pass, it is an update", UpdateNotification(in, in2), "update web-1 1→2"},
		{"if only the new state passes, it is an add", UpdateNotification(out, in2), "add web-1"},
		{"if only the old state passes, it is deleted", UpdateNotification(in, out), "delete web-1"},
		{"if no state passes, the update is left out", UpdateNotification(out, out2), ""},
	} {
		r := &recorder{}
		law.n.callOn(FilteringResourceEventHandler{FilterFunc: onlyWeb, Handler: r})
		assert.Equal(t, law.want, r.got(), law.promise)
	}
	r := &recorder{}
	DeleteNotification(out).call(FilteringResourceEventHandler{Handler: r})
	assert.Equal(t, "delete db-1", r.got(), "without FilterFunc all objects pass")
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
	assert.Equal(t, "initial web-1, update web-1 1→2, delete web-1", r.got())
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
	assert.Panics(t, func() { Notification{}.call(&recorder{}) }, "a Notification without a Kind")
}
