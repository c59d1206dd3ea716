package tape

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi"
)

// performer is a machine that understands the language of the informer's stories: it implements
// story.Machine. Their commands are in informer/testdata/story.template. It belongs into a bubble.
type performer struct {
	*Machine
	shown int64 // the last event that State has shown
}

// OpenStory returns the machine for a story that a test plays.
func OpenStory(t testing.TB) story.Machine {
	p, err := newPerformer(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func newPerformer(source *Source) (*performer, error) {
	m, err := New(Options{Source: source, Held: most})
	if err != nil {
		return nil, err
	}
	m.seen.paced = true
	m.idle = 0 // stories count on the default
	m.renew()
	return &performer{Machine: m}, nil
}

// tell reports something in the lane of the story.
func (p *performer) tell(kind, text string) {
	p.seen.report(said(laneStory, kind, "%s", text), nil)
}

// alsoButtons are commands that do what a button does.
var alsoButtons = map[string]string{
	"run": "start", "stop": "stop", "drop": "drop", "disconnect": "disconnect",
	"reconnect": "heal", "compact": "compact", "cut": "cut",
	"silence": "hang",
}

// Do implements story.Machine.
func (p *performer) Do(c story.Command) error {
	if err := c.NeedsWord("create", "update", "label", "finish", "write", "delete", "handler",
		"valve", "fault", "mutate", "read"); err != nil {
		return err
	}
	if do, ok := alsoButtons[c.Name]; ok {
		return p.Machine.Do(Order{Do: do, story: true})
	}
	o := Order{Do: c.Name, Key: c.Arg(0), story: true, Args: map[string]string{}}
	switch c.Name {
	case "create":
		return p.create(c)
	case "update", "write":
		o.Do, o.Args["color"] = "update", c.Opt("color", "")
		if err := p.Machine.Do(o); err != nil || c.Name == "update" {
			return err
		}
		p.awaitWrite(o.Key)
		return nil
	case "label":
		return p.patch(o.Key, map[string]any{"labels": map[string]any{"app": c.Opt("app", "")}})
	case "finish":
		return p.patch(o.Key, map[string]any{"finalizers": nil})
	case "delete":
		return p.Machine.Do(o)
	case "handler":
		return p.handle(c)
	case "informer":
		return p.choose(c)
	case "fault":
		return p.fault(o, c)
	case "valve":
		o.Args["name"], o.Args["mode"] = c.Arg(0), c.Arg(1)
		return p.Machine.Do(o)
	case "mutate":
		return p.mutate(o.Key, c.Opt("seen", "yes"))
	case "read":
		u, err := p.read(o.Key)
		if err == nil {
			p.tell("answer", fmt.Sprintf("%s has the labels %s", at(u), labels(u)))
		}
		return err
	case "requests":
		requests := 0
		p.seen.amend(func(m *model) { requests = m.server.now.requests })
		p.tell("answer", fmt.Sprintf("the server has got %d requests", requests))
		return nil
	}
	return c.Unknown()
}

// create creates objects one after the other: the machine comes to rest in between.
func (p *performer) create(c story.Command) error {
	args := map[string]string{}
	for key, usual := range map[string]string{"color": "red", "app": "", "finalizer": ""} {
		args[key] = c.Opt(key, usual)
	}
	for _, name := range c.Args() {
		err := p.Machine.Do(Order{Do: "create", Key: name, story: true, Args: args})
		if err != nil {
			return err
		}
		p.seen.rest()
	}
	return nil
}

// fault makes the server fail in a way for which there is no button.
func (p *performer) fault(o Order, c story.Command) error {
	code, err := strconv.Atoi(c.Opt("code", "0"))
	count, err2 := strconv.Atoi(c.Opt("count", "1"))
	retry, err3 := time.ParseDuration(c.Opt("retry", "0s"))
	f := fakeapi.Fault{Kind: fakeapi.FaultKind(c.Arg(0)), Verb: c.Opt("verb", ""), Code: code,
		Count: count, RetryAfter: retry}
	if err := errors.Join(err, err2, err3, f.Check([]string{"list", "watch"})); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inject(o, f)
	return nil
}

// patch changes the metadata of an object.
func (p *performer) patch(name string, metadata map[string]any) error {
	_, err := p.api.Patch(resource, "default", name, map[string]any{"metadata": metadata})
	return refused(err)
}

// mutate is what no program may do: it puts a label on the object that the cache returns, which is
// the cache's own. The collector's lock is held meanwhile, because it draws objects of the cache.
func (p *performer) mutate(name, seen string) error {
	u, err := p.read(name)
	if err != nil {
		return err
	}
	e := event(Cache, "mutate", keyOf(u), "%s now has the label seen=%s", at(u), seen).in("+seen")
	p.seen.report(e.moving("", Cache), func(m *model) {
		u.At("metadata", "labels").(map[string]any)["seen"] = seen
		m.cache.change().changed[keyOf(u)] = "seen"
	})
	return nil
}

// read returns an object as listers do, from the cache.
func (p *performer) read(name string) (*watchglass.Unstructured, error) {
	obj, found, err := p.informer.GetIndexer().GetByKey("default/" + name)
	if err == nil && !found {
		err = fmt.Errorf("the cache has no %s", name)
	}
	u, _ := obj.(*watchglass.Unstructured)
	return u, err
}

// labels are those of an object, in the order of their names.
func labels(u *watchglass.Unstructured) string {
	var all []string
	for name, value := range u.GetLabels() {
		all = append(all, name+"="+value)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// handle adds a handler as a story describes it.
func (p *performer) handle(c story.Command) error {
	takes, err := time.ParseDuration(c.Opt("takes", "0s"))
	resync, err2 := time.ParseDuration(c.Opt("resync", "0s"))
	o := handlerOptions{takes: takes, resync: resync, panics: c.Opt("panics", ""),
		drain: c.Opt("drain", "") == "yes"}
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.addHandler(c.Arg(0), o)
}

// choose takes another informer than the one that is there from the start.
func (p *performer) choose(c story.Command) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.informer.HasStarted() || len(p.handlers) > 0 {
		return errors.New("the command informer must come before run and before all handlers")
	}
	resync, err := time.ParseDuration(c.Opt("resync", "0s"))
	lag, err2 := time.ParseDuration(c.Opt("lag", "0s"))
	kind := c.Opt("queue", DeltaFIFO)
	if err := errors.Join(err, err2, knownKind(kind)); err != nil {
		return err
	}
	p.resync, p.way.lag, p.kind = resync, lag, kind
	p.streams = c.Opt("streams", "no") == "yes"
	if err := p.connect(c.Opt("labels", "")); err != nil {
		return err
	}
	p.renew()
	return nil
}

// awaitWrite reports when the cache shows what was written last.
func (p *performer) awaitWrite(name string) {
	p.seen.pace(wirePace)
	version, inf := p.api.ResourceVersion(), p.informer
	p.tell("writer", "waits for version "+version)
	p.running.Go(func() {
		err := inf.WaitFor(p.life, "default/"+name, version)
		p.seen.pace(syncedPace)
		if err != nil {
			p.tell("writer", err.Error())
			return
		}
		p.tell("writer", "the cache has reached version "+version)
	})
}

// State implements story.Machine. It lets everything come to rest, and prints what has happened
// since the last call and how the machine stands.
func (p *performer) State() string {
	p.seen.rest()
	events, _, _ := p.seen.after(p.shown, most)
	state, last, _ := p.seen.list()
	p.shown = last
	return printed(events, state)
}

// printed is what a story prints: answers, what has happened, lane by lane, and then the state of
// the cache, the handlers and the informer.
func printed(events []*Event, s State) string {
	var b strings.Builder
	lanes := story.NewLanes("writer", "reader", "server", "reflector", "queue", "process")
	for _, e := range events {
		if lane := storyLane(e); lane == "answer" {
			b.WriteString(e.Text + "\n")
		} else if lane != "" {
			lanes.ReportAt(time.Duration(e.At)*time.Millisecond, lane, e.Text)
		}
	}
	b.WriteString(lanes.String())
	fmt.Fprintf(&b, "cache %v, synced: %s\n", s.Cache, yes(s.Cache.Synced))
	for _, l := range s.Listeners {
		fmt.Fprintf(&b, "handler %s: synced: %s, waiting: %d", l.Name, yes(l.Synced), l.Pending)
		if l.Ended {
			fmt.Fprintf(&b, ", ended, dropped: %d", l.Dropped)
		}
		b.WriteString("\n")
	}
	if s.Informer == stopping || s.Informer == ended {
		fmt.Fprintf(&b, "informer stopped: yes, Run has returned: %s\n", yes(s.Informer == ended))
	}
	return b.String()
}

// String shows the objects of the cache.
func (c *CacheState) String() string {
	var shown []string
	for _, o := range c.Objects {
		shown = append(shown, Short(o.Key)+"@"+o.RV)
	}
	if more := c.Total - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprint(shown)
}

// storyLane is the lane of a story that shows an event, "" if none does. Each belongs to one
// goroutine: the queue's to the reflector's goroutine, which adds, and the cache's to the process
// loop.
func storyLane(e *Event) string {
	if name, ok := strings.CutPrefix(e.Lane, Handler("")); ok {
		if e.Kind == "call" || e.Kind == "panic" {
			return name
		}
		return ""
	}
	switch e.Lane + " " + e.Kind {
	case "story answer":
		return "answer"
	case "story writer":
		return "writer"
	case "api commit":
		return "server"
	case "reflector list", "reflector watch", "reflector transition", "reflector event":
		return "reflector"
	case "queue queued":
		return "queue"
	case "cache mutate":
		return "reader"
	case "process pop", "cache add", "cache update", "cache delete", "cache replace":
		return "process"
	}
	return ""
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}
