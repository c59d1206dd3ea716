package story

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestLanesStandInTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLanes("fast", "slow")
		l.Report("slow", "add %s", "web-1")
		time.Sleep(1500 * time.Millisecond)
		l.Report("late joiner", "add web-1")
		l.Report("fast", "add web-1")
		l.Report("slow", "add web-2")
		assert.Equal(t, ""+
			"fast            1.5s  add web-1\n"+
			"slow              0s  add web-1\n"+
			"                1.5s  add web-2\n"+
			"late joiner     1.5s  add web-1\n", l.String())
	})
}

func TestLanesForgetWhatTheyHaveShown(t *testing.T) {
	l := NewLanes()
	l.Report("a", "first")
	assert.Contains(t, l.String(), "first")
	assert.Empty(t, l.String())
	l.Report("b", "second")
	assert.NotContains(t, l.String(), "first")
}

func TestAnyGoroutineMayReportToLanes(t *testing.T) {
	l := NewLanes()
	var reporters sync.WaitGroup
	for range 8 {
		reporters.Go(func() { l.Report("all", "here") })
	}
	reporters.Wait()
	assert.Len(t, lines(l.String()), 8)
}
