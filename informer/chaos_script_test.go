package informer_test

import (
	"fmt"
	"math/rand/v2"
	"time"

	"example.com/watchglass/fakeapi"
)

// randomScript returns the script of a seed. The comment of storm lists the commands.
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
		return line + randomOptions(random)
	}
	return fmt.Sprintf("%s h%d", pick(random, "leave", "leave", "shut"), 1+random.IntN(*guests+1))
}

// randomOptions returns options of the join command.
func randomOptions(random *rand.Rand) (options string) {
	if random.IntN(4) == 0 {
		options += fmt.Sprintf(" takes=%v", time.Duration(random.IntN(3000))*time.Millisecond)
	}
	if random.IntN(3) == 0 {
		options += " drain=yes"
	}
	if random.IntN(4) == 0 {
		options += fmt.Sprintf(" resync=%ds", random.IntN(100)-10)
	}
	if random.IntN(8) == 0 {
		options += " panics=" + randomName(random)
	}
	return options
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
