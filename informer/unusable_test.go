package informer

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/processor"
	"example.com/watchglass/reflector"
)

// One bad object does not freeze the rest. It is bad because it does not fit its Go type, or
// because a transform fails for it; both queues, lists and streams must keep it apart from the
// others.
func TestUnusable(t *testing.T) {
	for _, queue := range []QueueKind{DeltaFIFO, RealFIFO} {
		for _, listFirst := range []bool{true, false} {
			name := fmt.Sprintf(" (%v, list first: %v)", queue, listFirst)
			law(t, "an object that cannot be used is left as it is, and the rest goes on"+name,
				func(t *testing.T) { leftAsItIs(t, queue, listFirst) })
		}
	}
}

// unusableFixture is an informer of widgets, and notes what its handler and its error handler get.
type unusableFixture struct {
	*fixture
	calls, errs []string
}

// misfit changes the color of a widget to what is no string.
func (u *unusableFixture) misfit(name string) {
	_, err := u.server.Patch("widgets", "default", name, `{"spec":{"color":7}}`)
	if err != nil {
		object := `{"metadata":{"name":%q},"spec":{"color":7}}`
		_, err = u.server.Create("widgets", fmt.Sprintf(object, name))
	}
	require.NoError(u.t, err)
	synctest.Wait()
}

// read returns the calls since the last read.
func (u *unusableFixture) read() []string {
	synctest.Wait()
	defer func() { u.calls = nil }()
	return u.calls
}

func (u *unusableFixture) OnAdd(obj watchglass.Object, _ bool) {
	u.calls = append(u.calls, "add "+obj.GetName()+" "+obj.(*widget).Spec.Color)
}

func (u *unusableFixture) OnUpdate(old, obj watchglass.Object) {
	if old.GetResourceVersion() != obj.GetResourceVersion() {
		u.calls = append(u.calls, "update "+obj.GetName()+" "+obj.(*widget).Spec.Color)
	}
}

func (u *unusableFixture) OnDelete(obj watchglass.Object) {
	gone := obj.(deltafifo.DeletedFinalStateUnknown) // of no object here the last state can be used
	last := gone.Obj.(*widget).Spec.Color
	u.calls = append(u.calls, fmt.Sprintf("delete %s, last %s", gone.GetName(), last))
}

func leftAsItIs(t *testing.T, queue QueueKind, listFirst bool) {
	u := &unusableFixture{}
	u.fixture = fixtureWith(t, Options{
		Queue:     queue,
		Reflector: reflector.Options{ListFirst: listFirst},
		Transform: func(obj watchglass.Object) (watchglass.Object, error) {
			if obj.(*widget).Spec.Color == "odd" {
				return nil, errors.New("odd color")
			}
			return obj, nil
		},
		WatchErrorHandler: func(err error) { u.errs = append(u.errs, err.Error()) },
	})
	u.write("web-1", "red")
	u.misfit("web-2")
	u.write("web-3", "odd")
	u.run()
	assert.True(t, u.HasSynced(), "although two objects of the first list cannot be used")
	u.handle(processor.ResourceEventHandler(u))
	assert.Equal(t, []string{"add web-1 red"}, u.read())

	u.misfit("web-1")
	u.write("web-4", "blue")
	newest := u.write("web-1", "odd")
	assert.Equal(t, []string{"add web-4 blue"}, u.read(), "the watch goes on")
	assert.Equal(t, newest, u.LastSyncResourceVersion(), "the version goes on, too")

	u.missEvents(func() {
		u.misfit("web-4")
		u.write("web-5", "green")
	})
	assert.Equal(t, []string{"add web-5 green"}, u.read(),
		"a list concludes no deletion of web-1 and web-4")

	u.delete("web-1")
	u.delete("web-3") // no handler has heard of it
	assert.Equal(t, []string{"delete web-1, last red"}, u.read(), "its deletion arrives")
	u.missEvents(func() { u.delete("web-4") })
	assert.Equal(t, []string{"delete web-4, last blue"}, u.read(), "also if a list shows it")
	u.write("web-2", "red")
	assert.Equal(t, []string{"add web-2 red"}, u.read(), "a state that can be used arrives")

	for _, name := range []string{"web-1", "web-2", "web-3", "web-4"} {
		assert.Contains(t, fmt.Sprint(u.errs), fmt.Sprintf("%q at version", "default/"+name))
	}
	assert.Greater(t, u.Stats().LostEvents, 4)
}
