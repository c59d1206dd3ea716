package story

import (
	"testing"
	"testing/synctest"
)

// Bubble tries to break a law, which is the name of the subtest, in a bubble of its own. Time is
// virtual there. A goroutine that is left over, or a deadlock, breaks the law, too.
func Bubble(t *testing.T, law string, try func(t *testing.T)) {
	t.Helper()
	t.Run(law, func(t *testing.T) { synctest.Test(t, try) })
}
