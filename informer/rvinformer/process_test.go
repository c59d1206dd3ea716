package rvinformer

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
)

type thing struct{ watchglass.ObjectMeta }

// refusing is a mirror whose deletions succeed and whose updates fail.
type refusing struct {
	Handler
	deleted watchglass.Object
}

func (*refusing) OnUpdate(watchglass.Object, bool) error         { return errors.New("refused") }
func (m *refusing) OnDelete(obj watchglass.Object, _ bool) error { m.deleted = obj; return nil }

func TestAFailedWriteDoesNotHideTheDeletionBehindIt(t *testing.T) {
	mirror := &refusing{}
	i := &Informer{handler: mirror, versions: versions{of: map[string]string{"web-1": "3"}}}
	i.queue = deltafifo.New(deltafifo.Options{KnownObjects: &i.versions})
	last := &thing{watchglass.ObjectMeta{Name: "web-1", ResourceVersion: "4"}}
	require.NoError(t, i.queue.Update(last))
	require.NoError(t, i.queue.Delete(last))
	assert.EqualError(t, i.processNext(), `mirror "web-1": refused`)
	assert.Equal(t, watchglass.Object(last), mirror.deleted)
	assert.Empty(t, i.Versions())
}
