package informer_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass/docs/story"
	"example.com/watchglass/fakeapi"
	"example.com/watchglass/informer"
)

// TestChaos plays random scripts: writers, faults and handlers that come and go at random times. At
// the end of each, server, caches, indices and handlers must agree, and no goroutine may be left.
// SEEDS says how many scripts, of about ten virtual hours each, with each queue; SEED plays one of
// them. A script that fails is shrunk and printed as a story, which can be put into testdata/chaos.
//
// A script replays at the same virtual times. What happens at one moment on several goroutines may
// come in another order: a failure that depends on that may need several runs.
func TestChaos(t *testing.T) {
	first, seeds := 0, 2
	if n, err := strconv.Atoi(os.Getenv("SEEDS")); err == nil {
		seeds = n
	}
	if n, err := strconv.Atoi(os.Getenv("SEED")); err == nil {
		first, seeds = n, 1
	}
	for seed := first; seed < first+seeds && !t.Failed(); seed++ {
		for name, queue := range bothQueues {
			script := randomScript(uint64(seed))
			play := func(script []string) error { return playScript(t, seed, queue, script) }
			if err := play(script); err != nil {
				script = shrink(script, func(s []string) bool { return play(s) != nil })
				t.Errorf("seed %d, %s: %v\n\nShrunk, as a story:\n\n%s", seed, name, err,
					asStory(seed, script, play(script)))
			}
		}
	}
}

// bothQueues are all there are.
var bothQueues = map[string]informer.QueueKind{
	"DeltaFIFO": informer.DeltaFIFO, "RealFIFO": informer.RealFIFO,
}

// TestChaosStories plays the scripts that once failed, and one that has all faults in it.
func TestChaosStories(t *testing.T) {
	for name, queue := range bothQueues {
		t.Run(name, func(t *testing.T) {
			story.PlayInBubble(t, "testdata/chaos/*.story", func(t testing.TB) story.Machine {
				return newStorm(t, queue)
			})
		})
	}
}

// playScript plays a script in a bubble of its own, and returns what did not agree at its end.
func playScript(
	t *testing.T, seed int, queue informer.QueueKind, script []string,
) (broken error) {
	defer func() {
		if r := recover(); r != nil { // a goroutine is left, or all wait for each other
			panic(fmt.Sprintf("seed %d: %v\n%s", seed, r, strings.Join(script, "\n")))
		}
	}()
	synctest.Test(t, func(t *testing.T) {
		s := newStorm(t, queue)
		for _, line := range script {
			c := story.ParseCommand(line)
			if c.Name == "wait" {
				time.Sleep(duration(story.ParseCommand("wait for="+c.Arg(0)), "for"))
				continue
			}
			if err := s.Do(c); err != nil {
				t.Fatal(err)
			}
		}
		broken = errors.Join(s.broken...)
	})
	return broken
}

func randomScript(seed uint64) []string {
	random := rand.New(rand.NewPCG(seed, 7))
	var script []string
	guests := 0
	for range 250 {
		script = append(script, randomLine(random, &guests))
		if random.IntN(2) == 0 {
			script = append(script, "wait "+randomPause(random).String())
		}
	}
	return append(script, "agree")
}

func randomLine(random *rand.Rand, guests *int) string {
	resource := pick(random, "widgets", "widgets", "configmaps")
	which := pick(random, "streamed", "listed", "paged")
	switch random.IntN(14) {
	case 0, 1, 2:
		return fmt.Sprintf("%s %s %s color=%s",
			randomWrite(random), resource, randomName(random), randomColor(random))
	case 3, 4:
		return fmt.Sprintf("write %s seed=%d times=%d", resource, random.IntN(1000), random.IntN(60))
	case 5:
		return randomFault(random)
	case 6:
		return pick(random, "compact", "compact", "drop", "reset", "heal")
	case 7:
		return fmt.Sprintf("index %s more-%d", which, random.IntN(3))
	case 8, 9, 10, 11:
		line := "join " + which
		for range 1 + random.IntN(4) {
			*guests++
			line += fmt.Sprintf(" h%d", *guests)
		}
		return line + randomManners(random)
	}
	return fmt.Sprintf("%s h%d", pick(random, "leave", "leave", "shut"), 1+random.IntN(*guests+1))
}

// randomManners are the options of a handler.
func randomManners(random *rand.Rand) (manners string) {
	if random.IntN(4) == 0 {
		manners += fmt.Sprintf(" takes=%v", time.Duration(random.IntN(3000))*time.Millisecond)
	}
	if random.IntN(3) == 0 {
		manners += " drain=yes"
	}
	if random.IntN(4) == 0 {
		manners += fmt.Sprintf(" resync=%ds", random.IntN(100)-10)
	}
	if random.IntN(8) == 0 {
		manners += " panics=" + randomName(random)
	}
	return manners
}

// chaosFaults are all faults but one: a server that sends an older state after a newer one leads to
// a cache that is older than the server.
var chaosFaults = []fakeapi.FaultKind{
	fakeapi.FaultRefuse, fakeapi.FaultStatus, fakeapi.FaultDelay, fakeapi.FaultHang,
	fakeapi.FaultReset, fakeapi.FaultClose, fakeapi.FaultCut, fakeapi.FaultGarbage,
	fakeapi.FaultError, fakeapi.FaultSilence, fakeapi.FaultRepeat, fakeapi.FaultAlien,
	fakeapi.FaultNoBookmark, fakeapi.FaultNoInitialEnd,
}

func randomFault(random *rand.Rand) string {
	line := fmt.Sprintf("fault %s count=%d after=%d code=%s",
		chaosFaults[random.IntN(len(chaosFaults))], 1+random.IntN(3), random.IntN(3),
		pick(random, "410", "429", "500", "503", "504", "403"))
	if random.IntN(2) == 0 {
		line += " verb=" + pick(random, "list", "watch")
	}
	if random.IntN(3) == 0 {
		line += fmt.Sprintf(" delay=%ds", random.IntN(200))
	}
	if random.IntN(3) == 0 {
		line += fmt.Sprintf(" retry=%ds", random.IntN(60))
	}
	return line
}

func pick(random *rand.Rand, from ...string) string { return from[random.IntN(len(from))] }

func randomName(random *rand.Rand) string { return fmt.Sprintf("web-%d", random.IntN(6)) }

func randomColor(random *rand.Rand) string {
	return pick(random, "red", "green", "blue", "none", fmt.Sprint(random.IntN(100)))
}

func randomWrite(random *rand.Rand) string {
	return pick(random, "create", "create", "touch", "touch", "touch", "delete")
}

// randomPause is short or long: within one request, or so long that watches time out.
func randomPause(random *rand.Rand) time.Duration {
	switch random.IntN(3) {
	case 0:
		return time.Duration(random.IntN(100)) * time.Millisecond
	case 1:
		return time.Duration(random.IntN(5000)) * time.Millisecond
	}
	return time.Duration(random.IntN(1200)) * time.Second
}

// shrink leaves lines out as long as the script still fails: half of them, a quarter, ... one.
func shrink(script []string, fails func([]string) bool) []string {
	for size := len(script) / 2; size > 0; size /= 2 {
		for at := 0; at+size < len(script); { // the last line is agree
			fewer := append(append([]string{}, script[:at]...), script[at+size:]...)
			if fails(fewer) {
				script = fewer
			} else {
				at += size
			}
		}
	}
	return script
}

// asStory writes a script as a story whose last step shows what was found.
func asStory(seed int, script []string, broken error) string {
	set := strings.Join(script[:len(script)-1], "\n")
	return fmt.Sprintf("%s\n\n# Seed %d ends like this. Say here what should be, and why.\nagree\n----\n%v\n",
		set, seed, broken)
}
