package chaos

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// attempts play scripts and make the shortest story of one that fails.
type attempts struct {
	queue string
	play  func(script []string) (found string) // see child
	tries int                                  // how often a script is played before it counts as sound
}

func newAttempts(t *testing.T, queue string) *attempts {
	return &attempts{queue: queue, play: (&child{t: t, queue: queue}).play}
}

// investigate plays a script. It returns what went wrong and how to reproduce it, "" if nothing
// did.
func (a *attempts) investigate(script []string) (report string) {
	a.tries = 1
	found := a.find(script)
	if found == "" {
		return ""
	}
	if a.tries = a.playsUntilItFails(script, 10); a.tries == 0 {
		return headline(found) + "\n\nThat was not seen again in ten more plays of this script:\n\n" +
			asStory(script, found) + stacks(found)
	}
	script = shrink(script, func(s []string) bool { return a.find(s) != "" })
	if again := a.find(script); again != "" { // otherwise it is a matter of chance
		found = again
	}
	return fmt.Sprintf("%s\n\nShrunk, as a story (make chaos QUEUE=%s SCRIPT=file plays it;"+
		" plays until it failed: %d):\n\n%s%s",
		headline(found), a.queue, a.tries, asStory(script, found), stacks(found))
}

// playsUntilItFails returns how many plays it took until a script failed, 0 if it never did.
func (a *attempts) playsUntilItFails(script []string, most int) int {
	for n := range most {
		if a.play(script) != "" {
			return n + 1
		}
	}
	return 0
}

// find plays a script until it fails, a.tries times at most, and returns what went wrong.
func (a *attempts) find(script []string) (found string) {
	for range a.tries {
		if found = a.play(script); found != "" {
			break
		}
	}
	return found
}

// headline returns what went wrong in short: the line of a panic, fatal error or data race if there
// is one, otherwise all of found.
func headline(found string) string {
	for line := range strings.Lines(found) {
		for _, begin := range []string{"panic: ", "fatal error: ", "WARNING: DATA RACE"} {
			if strings.HasPrefix(line, begin) {
				line, _, _ = strings.Cut(line, " [recovered") // which a test adds
				return strings.TrimSpace(line)
			}
		}
	}
	return found
}

// stacks returns the beginning of what a crash has printed, "" if nothing crashed.
func stacks(found string) string {
	if found == headline(found) {
		return ""
	}
	lines := strings.SplitAfter(found, "\n")
	if len(lines) > 80 {
		lines = append(lines[:80], "...")
	}
	return "\nWhat was printed at its end:\n\n" + strings.Join(lines, "")
}

// shrink leaves lines out as long as the script still fails: half of them, a quarter, ... one.
func shrink(script []string, fails func([]string) bool) []string {
	for size := len(script) / 2; size > 0; size /= 2 {
		for at := 0; at+size < len(script); { // the last line is agree or stop
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

// asStory writes a script as a story in which nothing is wrong at the end.
func asStory(script []string, found string) string {
	last := len(script) - 1
	first, _, _ := strings.Cut(headline(found), "\n")
	good := allAgree
	if script[last] == "stop" {
		good = allStopped
	}
	return fmt.Sprintf("%s\n\n# Found: %s\n%s\n----\n%s",
		strings.Join(script[:last], "\n"), first, script[last], good)
}

func TestAScriptThatFailsIsShrunk(t *testing.T) {
	for how, found := range map[string]string{
		"disagreement": "sabotage: the cache holds web-1, and the server does not",
		"panic":        "panic: a goroutine panics",
	} {
		script := []string{"compact", "break " + how, "agree"}
		assert.Contains(t, newAttempts(t, "DeltaFIFO").investigate(script),
			found+"\n\nShrunk, as a story (make chaos QUEUE=DeltaFIFO SCRIPT=file plays it;"+
				" plays until it failed: 1):\n\n"+
				"break "+how+"\n\n# Found: "+found+"\nagree\n----\n"+allAgree)
	}
	for promise, last := range map[string]int{"if it fails by chance": 100, "if it fails once": 0} {
		plays := -1
		a := attempts{play: func(s []string) string {
			if plays++; plays%3 == 0 && plays <= last && slices.Contains(s, "drop") {
				return "oh"
			}
			return ""
		}}
		report := a.investigate([]string{"compact", "drop", "heal", "agree"})
		assert.Equal(t, last > 0, strings.Contains(report, "failed: 3):\n\ndrop\n\n"), promise)
		assert.Equal(t, last == 0, strings.Contains(report, "not seen again"), promise)
	}
}
