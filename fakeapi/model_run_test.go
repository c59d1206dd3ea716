package fakeapi

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"example.com/watchglass/docs/tools/story"
)

// TestTheServerIsWhatTheModelSays runs the same random commands on a server and on the
// model and compares everything that a client can observe: each answer and each line
// of each watch. If they differ, it searches for the shortest sequence of commands that
// shows the difference and prints it as a story.
func TestTheServerIsWhatTheModelSays(t *testing.T) {
	runs := modelRuns
	if n, err := strconv.Atoi(os.Getenv("SEEDS")); err == nil {
		runs = n
	}
	const lanes = 4 // in parallel: a bubble uses only one processor
	for lane := range min(lanes, runs) {
		t.Run(fmt.Sprint("seed ", lane), func(t *testing.T) {
			t.Parallel()
			for seed := lane; seed < runs; seed += lanes {
				compareSeed(t, uint64(seed))
			}
		})
	}
}

// compareSeed compares server and model over the random commands of a seed.
func compareSeed(t *testing.T, seed uint64) {
	t.Helper()
	steps := randomSteps(rand.New(rand.NewPCG(seed, 1)), modelSteps)
	if d := compare(t, steps); d != nil {
		t.Fatalf("seed %d: the server does not do what the model says.\n\n%s", seed,
			shrink(t, steps[:d.step+1]))
	}
}

// modelSteps is how many commands a run has: enough to drop each resource's history
// several times.
const modelSteps = 1000

// A difference is the first step at which server and model differ, and what each shows.
type difference struct {
	step     int
	commands []string // the commands so far, with all versions as numbers
	server   []string
	model    []string
}

// compare runs steps in a bubble of their own. It returns nil if there is no difference.
func compare(t *testing.T, steps []string) (found *difference) {
	t.Helper()
	synctest.Test(t, func(*testing.T) {
		m, p := newModel(), newDriver()
		defer p.close()
		var commands []string
		for i, step := range steps {
			text := m.resolve(step)
			commands = append(commands, text)
			c := story.ParseCommand(text)
			model := append(m.do(c), m.state()...)
			server := append(p.do(c), p.state()...)
			if !slices.Equal(model, server) {
				found = &difference{i, commands, server, model}
				return
			}
		}
	})
	return found
}

// resolve replaces a relative version by a number: @now, @now-3 and @now+2 are relative
// to the store's version, @cur and @cur-1 to the object's. Relative versions keep their
// meaning when a sequence is shortened.
func (m *model) resolve(step string) string {
	head, rest, ok := strings.Cut(step, "@")
	if !ok {
		return step
	}
	end := strings.IndexByte(rest+" ", ' ')
	what, tail := rest[:end], rest[end:]
	base := m.version
	offset, isNow := strings.CutPrefix(what, "now")
	if !isNow {
		offset = strings.TrimPrefix(what, "cur")
		c := story.ParseCommand(head)
		base = 1
		if o := m.resources[c.Arg(0)].objects[c.Arg(1)]; o != nil {
			base = o.version
		}
	}
	n, _ := strconv.ParseInt(offset, 10, 64) // none is 0
	return head + fmt.Sprint(max(1, int64(base)+n)) + tail
}

// shrink leaves out steps that are not needed to make server and model differ. It returns the
// rest as a story whose last state is the model's.
func shrink(t *testing.T, steps []string) string {
	t.Helper()
	found := compare(t, steps)
	for size, budget := len(steps)/2, 600; size > 0 && budget > 0; size /= 2 {
		for at := 0; at < len(steps)-1 && budget > 0; budget-- {
			candidate := slices.Concat(steps[:at], steps[min(at+size, len(steps)-1):])
			if d := compare(t, candidate); d != nil {
				steps, found = candidate[:d.step+1], d
			} else {
				at += size
			}
		}
	}
	return found.story()
}

// story is the commands up to the difference, in the format of docs/tools/story.
func (d *difference) story() string {
	var b strings.Builder
	b.WriteString("# The model expects the state below; the server shows\n")
	for _, line := range d.server {
		b.WriteString("#   " + line + "\n")
	}
	b.WriteString(strings.Join(d.commands, "\n") + "\n----\n")
	return b.String() + strings.Join(d.model, "\n") + "\n"
}

// randomSteps are n commands. They use few objects, so that many commands are about the
// same one.
func randomSteps(r *rand.Rand, n int) []string {
	g := generator{r}
	steps := make([]string, n)
	for i := range steps {
		steps[i] = g.step()
	}
	return steps
}

type generator struct{ *rand.Rand }

func (g generator) pick(from ...string) string { return from[g.IntN(len(from))] }

// maybe is one of the texts in so many percent of the calls, and empty in the others.
func (g generator) maybe(percent int, from ...string) string {
	if g.IntN(100) >= percent {
		return ""
	}
	return " " + g.pick(from...)
}

func (g generator) resource() string {
	return g.pick("widgets", "widgets", "widgets", "pods", "configmaps")
}

func (g generator) object() string {
	return g.resource() + " " + g.pick("bar", "shop", "shop") + "/" +
		g.pick("db-1", "web-1", "web-2", "web-3")
}

func (g generator) color() string { return " color=" + g.pick("red", "green", "blue") }
func (g generator) app(percent int) string {
	return g.maybe(percent, "app=front", "app=back", "app=cache")
}
func (g generator) fin(percent int) string { return g.maybe(percent, "fin=a", "fin=b", "fin=a,b") }
func (g generator) dry() string            { return g.maybe(5, "dryrun=1") }

// choice is a selection for a resource.
func (g generator) choice(resource string) string {
	fields := []string{"fields=metadata.name=web-1", "fields=metadata.name!=web-1"}
	switch resource {
	case "widgets":
		fields = append(fields, "fields=spec.color=red", "fields=spec.color!=red")
	case "pods":
		fields = append(fields, "fields=spec.schedulerName=red", "fields=spec.schedulerName!=red")
	}
	return g.maybe(50, "ns=shop", "ns=bar") + g.maybe(20, fields...) +
		g.maybe(25, "labels=app=front", "labels=app!=front", "labels=app", "labels=!app",
			`labels="app in (front,back)"`)
}

func (g generator) past() string {
	return "@now-" + strconv.Itoa(g.IntN([]int{2, 8, 40}[g.IntN(3)]))
}

func (g generator) step() string {
	switch n := g.IntN(100); {
	case n < 18:
		return "create " + g.object() + g.color() + g.app(60) + g.fin(15) + g.dry()
	case n < 46:
		return g.change()
	case n < 58:
		return "delete " + g.object() + g.maybe(15, "rv=@cur", "rv=@cur-1") +
			g.maybe(8, "policy=Foreground") + g.dry()
	case n < 59:
		r := g.resource()
		return "deletecollection " + r + " ns=shop" + strings.Replace(
			strings.Replace(g.choice(r), " ns=shop", "", 1), " ns=bar", "", 1) + g.dry()
	case n < 62:
		return "get " + g.object() + g.maybe(40, "rv=@now", "rv=0", "rv=@now-5", "rv=@now+1")
	case n < 82:
		return g.read()
	case n < 90:
		return g.watch()
	case n < 93:
		return "close w" + strconv.Itoa(g.IntN(6))
	case n < 94:
		return "compact"
	}
	return "wait " + g.pick("1s", "1s", "5s", "5s", "48s", "50s", "2m", "5m")
}

func (g generator) change() string {
	o := g.object()
	switch g.IntN(4) {
	case 0:
		return "update " + o + g.maybe(85, "rv=@cur", "rv=@cur", "rv=@cur", "rv=@cur-1") +
			g.color() + g.app(60) + g.fin(15) + g.dry()
	case 1:
		if strings.HasPrefix(o, "configmaps") {
			o = strings.Replace(o, "configmaps", "widgets", 1)
		}
		return "status " + o + g.maybe(80, "rv=@cur") + " phase=" + g.pick("Ready", "Failed") +
			g.app(60) + g.fin(15)
	case 2:
		return "patch " + o + " type=json" + g.maybe(20, "test=red") + g.color() + g.dry()
	}
	return "patch " + o + g.pick(" type=merge", " type=merge", " type=strategic") +
		g.maybe(50, "color=red", "color=green") + g.maybe(40, "app=front", "app=back", "app=") +
		g.maybe(50, "fin=", "fin=", "fin=a", "fin=b") + g.maybe(10, "rv=@cur", "rv=@cur-1") +
		g.dry()
}

func (g generator) read() string {
	if g.IntN(3) == 0 {
		return "continue p" + strconv.Itoa(g.IntN(3)) + g.maybe(70, "limit=1", "limit=2")
	}
	r := g.resource()
	return "list " + r + g.choice(r) +
		g.maybe(60, "limit=1", "limit=2", "limit=3", "limit=4", "limit=100") +
		g.maybe(50, "rv="+g.past(), "rv="+g.past(), "rv=@now", "rv=0", "rv=@now+1") +
		g.maybe(30, "match=Exact", "match=Exact", "match=NotOlderThan") +
		g.maybe(80, "as=p0", "as=p1", "as=p2")
}

func (g generator) watch() string {
	r := g.resource()
	w := "watch w" + strconv.Itoa(g.IntN(6)) + " " + r + g.choice(r) +
		g.maybe(60, "bookmarks=1") + g.maybe(30, "timeout=1", "timeout=60", "timeout=300")
	switch g.IntN(10) {
	case 0, 1:
		return w + " from=@now+" + strconv.Itoa(g.IntN(4))
	case 2:
		return w + " from=0"
	case 3:
		return w + " initial=yes" + g.maybe(50, "from=@now", "from=@now-3", "from=0")
	case 4:
		return w + " initial=no" + g.maybe(50, "from=@now-3", "from=0")
	case 5:
		return w
	}
	return w + " from=" + g.past()
}

// TestDifferences plays the stories in testdata/differences. Each is a shortest sequence
// of commands at which server and model once differed, as printed by
// TestTheServerIsWhatTheModelSays, with a line of prose on the cause. A sequence that it
// prints in the future belongs there, too.
func TestDifferences(t *testing.T) {
	story.PlayInBubble(t, "testdata/differences/*.story", func(t testing.TB) story.Machine {
		s := &driverMachine{driver: newDriver()}
		t.Cleanup(s.close)
		return s
	})
}

// A driverMachine is a driver as the machine of a story.
type driverMachine struct {
	*driver
	answer []string // to the last command
}

// Do implements story.Machine.
func (s *driverMachine) Do(c story.Command) error {
	s.answer = s.do(c)
	return nil
}

// State implements story.Machine.
func (s *driverMachine) State() string {
	lines := append(s.answer, s.state()...)
	s.answer = nil // it is shown once, even if State is called again after time has passed
	return strings.Join(lines, "\n")
}
