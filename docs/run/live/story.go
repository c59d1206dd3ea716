package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.com/watchglass/docs/tools/story"
)

// player types the commands of a story, one for each press. What the informer's stories can say, it
// can play; their prose becomes captions.
type player struct {
	machine *machine
	file    string
	steps   []story.Step
	settle  func() // waits until the machine is at rest

	mu    sync.Mutex   // held while a command is carried out
	prose []string     // of the present act, guarded by mu
	typed atomic.Int32 // how many commands have been typed, written with mu held
}

var (
	errStoryOver = errors.New("the story is over")
	errStoryBusy = errors.New("the story is still in its last command")
)

// readStory reads a story that can be played on a machine on which nothing has happened yet.
func readStory(m *machine, file string, settle func()) (*player, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	steps, err := story.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(steps) == 0 {
		return nil, fmt.Errorf("%s has no command, so there is nothing to play", file)
	}
	m.idle = 0 // stories count on the default
	m.renew()
	return &player{machine: m, file: filepath.Base(file), steps: steps, settle: settle}, nil
}

// state is where the story is.
func (p *player) state() *StoryState {
	if p == nil {
		return nil
	}
	s := &StoryState{File: p.file, Steps: len(p.steps)}
	if n := int(p.typed.Load()); n < len(p.steps) {
		s.Next = p.steps[n].Command.Text
	}
	return s
}

// press types the next command, as the button does: it returns when the command has begun. What
// goes wrong later is reported.
func (p *player) press() error {
	p.machine.mu.Lock() // close waits for what is running, so nothing may begin meanwhile
	defer p.machine.mu.Unlock()
	if p.machine.life.Err() != nil {
		return errClosed
	}
	n, err := p.begin()
	if err != nil {
		return err
	}
	p.machine.running.Go(func() {
		defer p.mu.Unlock()
		if err := p.carryOut(n); err != nil {
			p.machine.tell("error", err.Error())
		}
	})
	return nil
}

// play types the next command and waits until it has been carried out.
func (p *player) play() error {
	n, err := p.begin()
	if err != nil {
		return err
	}
	defer p.mu.Unlock()
	return p.carryOut(n)
}

// begin returns the index of the next step, with mu held, or errStoryOver or errStoryBusy without
// it.
func (p *player) begin() (n int, err error) {
	if !p.mu.TryLock() {
		return 0, errStoryBusy
	}
	if n = int(p.typed.Load()); n == len(p.steps) {
		p.mu.Unlock()
		return 0, errStoryOver
	}
	p.typed.Add(1)
	return n, nil
}

// carryOut is one step: its command, and then rest. The prose of an act comes with its last step:
// it must not speak of what has not been drawn.
func (p *player) carryOut(n int) error {
	step := &p.steps[n]
	p.prose = append(p.prose, step.Prose...)
	c := step.Command
	p.machine.tell("do", c.Text)
	if err := p.machine.command(p, c); err != nil {
		return fmt.Errorf("%s:%d: %s: %w", p.file, step.Line, c.Text, err)
	}
	p.settle()
	if last := n+1 == len(p.steps) || len(p.steps[n+1].Prose) > 0; last && len(p.prose) > 0 {
		p.machine.tell("say", strings.Join(p.prose, " "))
		p.prose = nil
	}
	return nil
}

// tell reports something in the lane of the story.
func (m *machine) tell(kind, text string) {
	m.seen.report(said(laneStory, kind, "%s", text), nil)
}

// command carries out a command of the informer's stories. Most of them are buttons, too.
func (m *machine) command(p *player, c story.Command) error {
	if err := c.NeedsWord("create", "update", "write", "delete", "handler", "valve"); err != nil {
		return err
	}
	if do, ok := alsoButtons[c.Name]; ok {
		return m.do(order{Do: do, story: true})
	}
	o := order{Do: c.Name, Key: c.Arg(0), story: true,
		Args: map[string]string{"color": c.Opt("color", "")}}
	switch c.Name {
	case "create":
		o.Args["color"] = c.Opt("color", "red")
		for _, name := range c.Args() {
			o.Key = name
			if err := m.do(o); err != nil {
				return err
			}
			p.settle()
		}
		return nil
	case "update", "delete":
		return m.do(o)
	case "write":
		return m.writeAndWait(o)
	case "handler":
		return m.storyHandler(c)
	case "informer":
		return m.storyInformer(c)
	case "valve":
		o.Args = map[string]string{"name": c.Arg(0), "mode": c.Arg(1)}
		return m.do(o)
	case "wait":
		d, err := time.ParseDuration(c.Rest())
		if err != nil {
			return err
		}
		select {
		case <-time.After(d):
			return nil
		case <-m.life.Done():
			return m.life.Err()
		}
	case "requests":
		requests := 0
		m.seen.look(func(m *model) { requests = m.server.now.requests })
		m.tell("answer", fmt.Sprintf("the server has got %d requests", requests))
		return nil
	}
	return c.Unknown()
}

// alsoButtons are commands that do what a button does.
var alsoButtons = map[string]string{
	"run": "start", "stop": "stop", "drop": "drop", "disconnect": "disconnect",
	"reconnect": "heal", "compact": "compact", "cut": "cut",
}

// storyHandler adds a handler as a story describes it.
func (m *machine) storyHandler(c story.Command) error {
	takes, err := time.ParseDuration(c.Opt("takes", "0s"))
	resync, err2 := time.ParseDuration(c.Opt("resync", "0s"))
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.addHandler(c.Arg(0), handlerOptions{takes: takes, resync: resync,
		panics: c.Opt("panics", ""), drain: c.Opt("drain", "") == "yes"})
}

// storyInformer takes another informer than the one that is there from the start.
func (m *machine) storyInformer(c story.Command) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.informer.HasStarted() || len(m.handlers) > 0 {
		return errors.New("this must stand before run and before all handlers")
	}
	var err, err2 error
	m.resync, err = time.ParseDuration(c.Opt("resync", "0s"))
	m.way.lag, err2 = time.ParseDuration(c.Opt("lag", "0s"))
	m.renew()
	return errors.Join(err, err2)
}

// writeAndWait updates an object, and reports when the cache has reached the version of the write.
func (m *machine) writeAndWait(o order) error {
	o.Do = "update"
	if err := m.do(o); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	version, inf := m.api.ResourceVersion(), m.informer // or a later one, of a button
	m.tell("writer", "waits for version "+version)
	m.running.Go(func() {
		if err := inf.WaitForVersion(m.life, version); err != nil {
			m.tell("writer", err.Error())
			return
		}
		m.tell("writer", "the cache has reached version "+version)
	})
	return nil
}

// quiet waits until nothing has been reported for a moment, but not for ever: a handler that takes
// its time is busy for long.
func (c *collector) quiet() {
	for deadline := time.Now().Add(time.Second); time.Now().Before(deadline); {
		var changed <-chan struct{}
		c.look(func(*model) { changed = c.changed })
		select {
		case <-changed:
		case <-time.After(20 * time.Millisecond):
			return
		}
	}
}
