package rvinformer_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/fakeapi"
)

// TestTheMirrorBecomesWhatTheServerHolds lets a server change at random while connections are cut,
// history is lost, writes to the mirror fail or lose their answers, and the informer is restarted.
// Each call must fit the rows of the mirror (the table checks that). After each run, versions and
// rows must be the same. When nothing fails any more, the mirror must become what the server holds.
func TestTheMirrorBecomesWhatTheServerHolds(t *testing.T) {
	for seed := range uint64(8) {
		law(t, fmt.Sprint("seed ", seed), func(t *testing.T, r *rig) {
			random := rand.New(rand.NewPCG(seed, 25))
			r.options.Reflector.ListFirst = seed%2 == 0
			r.run(nil)
			for range 60 {
				r.step(random)
			}
			r.server.Heal()
			r.table.fail(nil, false)
			r.restart() // its first list makes the failed calls again
			time.Sleep(10 * time.Minute)
			synctest.Wait()
			require.Equal(t, r.onServer(), r.table.rows, "the mirror, when nothing changes any more")
			for _, err := range r.reported {
				assert.ErrorIs(t, err, errBroken)
			}
		})
	}
}

// step makes a random change or fault, and sometimes lets time pass.
func (r *rig) step(random *rand.Rand) {
	name := fmt.Sprint("web-", random.IntN(5))
	switch random.IntN(11) {
	case 0, 1, 2:
		_, _ = r.server.Create("widgets", &widget{ObjectMeta: watchglass.ObjectMeta{Name: name}})
	case 3, 4:
		_, _ = r.server.Patch("widgets", "default", name,
			fmt.Sprintf(`{"spec":{"color":"%d"}}`, random.Int()))
	case 5:
		_ = r.server.Delete("widgets", "default", name)
	case 6:
		r.server.DropConnections()
		r.server.Inject(fakeapi.Fault{Kind: fakeapi.FaultRefuse, Count: random.IntN(3)})
	case 7:
		r.server.Compact()
	case 8:
		r.table.fail(errBroken, random.IntN(2) == 0)
	case 9:
		r.table.fail(nil, false)
	case 10:
		r.restart()
	}
	if random.IntN(3) == 0 {
		time.Sleep(time.Duration(random.IntN(60)) * time.Second)
	}
}

// onServer returns the versions of what the server holds.
func (r *rig) onServer() map[string]string {
	items, _, err := r.server.List("widgets", "")
	require.NoError(r.t, err)
	versions := map[string]string{}
	for _, item := range items {
		var obj widget
		require.NoError(r.t, json.Unmarshal(item, &obj))
		versions["default/"+obj.Name] = obj.ResourceVersion
	}
	return versions
}
