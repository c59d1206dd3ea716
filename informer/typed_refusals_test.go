package informer_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
	"example.com/watchglass/informer"
)

func TestTheErrorOfATransformIsPassedOn(t *testing.T) {
	for law, c := range map[string]struct {
		transform deltafifo.TransformFunc
		want      string
	}{
		"an error comes before the type of what came with it": {
			func(watchglass.Object) (watchglass.Object, error) {
				return &watchglass.ObjectMeta{}, errors.New("no room")
			}, "no room"},
		"nothing is not an object of another type": {
			func(watchglass.Object) (watchglass.Object, error) { return nil, nil },
			"the transform returned no object"},
	} {
		inBubble(t, law, func(t *testing.T) {
			var failed error
			r := newTypedRig(t, informer.Options{Transform: c.transform,
				WatchErrorHandler: func(err error) { failed = err }})
			r.create("web-1", "red")
			r.run()
			assert.ErrorContains(t, failed, c.want)
			assert.NotContains(t, fmt.Sprint(failed), "made a", law)
		})
	}
}

func TestTypedRefusals(t *testing.T) {
	inBubble(t, "after the end handlers and indices are refused", func(t *testing.T) {
		r := newTypedRig(t, informer.Options{})
		r.run()
		r.stop()
		_, err := r.widgets.Handle(informer.Handler[*widget]{}, informer.HandlerOptions{})
		assert.ErrorIs(t, err, informer.ErrStopped)
		index, err := r.widgets.Index("color", func(*widget) []string { return nil })
		assert.ErrorIs(t, err, informer.ErrStopped)
		assert.Empty(t, index.Get("red"), "an index that was refused finds nothing")
	})
}
