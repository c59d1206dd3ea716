package chaos

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"example.com/watchglass/fakeapi"
)

// randomScript returns the script of a seed: about so many lines, and waits between them. The
// comment of storm lists the commands. Some scripts have so many objects that lists and queues have
// several batches, and some end with a stop.
func randomScript(seed uint64, lines int) []string {
	w := scriptWriter{
		Rand: rand.New(rand.NewPCG(seed, 7)), longest: 3 * time.Second, pauses: 500 * time.Second,
	}
	var script []string
	if w.IntN(4) == 0 { // fewer lines, because each handler has more calls
		lines, w.longest, w.pauses = lines/5, 20*time.Millisecond, 20*time.Second
		script = append(script, "crowd widgets times=1200")
	}
	for range lines {
		script = append(script, w.line())
		if w.IntN(2) == 0 {
			script = append(script, "wait "+w.pause().String())
		}
	}
	if w.IntN(4) == 0 {
		return append(script, "stop")
	}
	return append(script, "agree")
}

type scriptWriter struct {
	*rand.Rand
	guests  int           // so many have joined
	longest time.Duration // call of a handler
	pauses  time.Duration // the longest of them
}

func (w *scriptWriter) line() string {
	resource := pick(w.Rand, "widgets", "widgets", "configmaps")
	which := pick(w.Rand, "streamed", "listed", "paged")
	switch w.IntN(18) {
	case 0, 1, 2:
		return fmt.Sprintf("%s %s %s color=%s",
			randomWrite(w.Rand), resource, randomName(w.Rand), randomColor(w.Rand))
	case 3, 4:
		return fmt.Sprintf("write %s seed=%d times=%d", resource, w.IntN(1000), w.IntN(60))
	case 5:
		return w.fault()
	case 6:
		return pick(w.Rand, "compact", "compact", "drop", "reset", "heal")
	case 7:
		return fmt.Sprintf("index %s more-%d", which, w.IntN(3))
	case 8, 9, 10, 11:
		line := "join " + which
		for range 1 + w.IntN(4) {
			w.guests++
			line += fmt.Sprintf(" h%d", w.guests)
		}
		return line + w.options()
	case 12, 13:
		return fmt.Sprintf("await %s %s", which, randomName(w.Rand))
	case 14:
		w.guests++
		return fmt.Sprintf("rush %s h%d times=%d", which, w.guests, 5+w.IntN(30))
	case 15:
		return fmt.Sprintf("refuse times=%d", 1+w.IntN(3))
	}
	return fmt.Sprintf("%s h%d", pick(w.Rand, "leave", "leave", "shut"), 1+w.IntN(w.guests+1))
}

// options returns options of the join command.
func (w *scriptWriter) options() (options string) {
	if w.IntN(4) == 0 {
		takes := time.Duration(w.Int64N(int64(w.longest))).Round(time.Millisecond)
		options += fmt.Sprintf(" takes=%v", takes)
	}
	if w.IntN(3) == 0 {
		options += " drain=yes"
	}
	if w.IntN(4) == 0 {
		options += fmt.Sprintf(" resync=%ds", w.IntN(100)-10)
	}
	if w.IntN(8) == 0 {
		options += " panics=" + randomName(w.Rand)
	}
	if w.IntN(4) == 0 {
		options += " acts=yes"
	}
	return options
}

// faults and faultsOfWatches are all faults of lists and watches but one: a server that sends an
// older state after a newer one leads to a cache that is older than the server. faultsOfWrites are
// those that a writer meets.
var (
	faults = []fakeapi.FaultKind{fakeapi.FaultRefuse, fakeapi.FaultStatus, fakeapi.FaultDelay,
		fakeapi.FaultHang, fakeapi.FaultReset}
	faultsOfWatches = []fakeapi.FaultKind{fakeapi.FaultClose, fakeapi.FaultCut, fakeapi.FaultGarbage,
		fakeapi.FaultError, fakeapi.FaultSilence, fakeapi.FaultRepeat, fakeapi.FaultAlien,
		fakeapi.FaultNoBookmark, fakeapi.FaultNoInitialEnd}
	faultsOfWrites = []fakeapi.FaultKind{fakeapi.FaultLost, fakeapi.FaultLost, fakeapi.FaultLost,
		fakeapi.FaultStatus, fakeapi.FaultDelay, fakeapi.FaultHang, fakeapi.FaultReset}
)

// fault returns a fault that can happen: Inject refuses all others.
func (w *scriptWriter) fault() string {
	random, kinds := w.Rand, slices.Concat(faults, faultsOfWatches)
	agent, verb := "watchglass", pick(w.Rand, "list", "watch")
	if random.IntN(3) == 0 {
		kinds, agent, verb = faultsOfWrites, "writer", pick(random, "create", "update", "delete")
	}
	kind := pick(random, kinds...)
	line := fmt.Sprintf("fault %s count=%d after=%d code=%s", kind, 1+random.IntN(3), random.IntN(3),
		pick(random, "410", "429", "500", "503", "504", "403"))
	switch {
	case kind == fakeapi.FaultRefuse:
		return line // of connections, which no client has made yet
	case kind == fakeapi.FaultDelay:
		line += fmt.Sprintf(" delay=%ds", 1+random.IntN(200))
	case slices.Contains(faultsOfWatches, kind):
		verb = "watch"
	}
	line += " agent=" + agent
	if random.IntN(2) == 0 {
		line += " verb=" + verb
	}
	if random.IntN(3) == 0 {
		line += fmt.Sprintf(" retry=%ds", random.IntN(60))
	}
	return line
}

func pick[T any](random *rand.Rand, from ...T) T { return from[random.IntN(len(from))] }

func randomName(random *rand.Rand) string { return fmt.Sprintf("web-%d", random.IntN(6)) }

func randomColor(random *rand.Rand) string {
	return pick(random, "red", "green", "blue", "none", fmt.Sprint(random.IntN(100)))
}

func randomWrite(random *rand.Rand) string {
	return pick(random, "create", "create", "touch", "touch", "touch", "delete")
}

// pause is short or long: within one request, or so long that watches time out.
func (w *scriptWriter) pause() time.Duration {
	switch w.IntN(3) {
	case 0:
		return time.Duration(w.IntN(100)) * time.Millisecond
	case 1:
		return time.Duration(w.IntN(5000)) * time.Millisecond
	}
	return time.Duration(w.Int64N(int64(w.pauses))).Round(time.Millisecond)
}
