package tape

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"example.com/watchglass/docs/tools/story"
)

// play carries out one step of a story: its command, and then rest. It does so in a bubble, where a
// story's hours cost nothing. The prose of an act comes before its first command, and says what to
// look for.
func (m *Machine) play(step story.Step) error {
	if len(step.Prose) > 0 {
		m.tell("say", strings.Join(step.Prose, " "))
	}
	m.tell("do", step.Command.Text)
	defer m.seen.rest()
	return m.command(step.Command)
}

// tell reports something in the lane of the story.
func (m *Machine) tell(kind, text string) {
	m.seen.report(said(laneStory, kind, "%s", text), nil)
}

// command carries out a command of the informer's stories. Most of them are buttons, too.
func (m *Machine) command(c story.Command) error {
	if err := c.NeedsWord("create", "update", "write", "delete", "handler", "valve"); err != nil {
		return err
	}
	if do, ok := alsoButtons[c.Name]; ok {
		return m.Do(Order{Do: do, story: true})
	}
	o := Order{Do: c.Name, Key: c.Arg(0), story: true, Args: map[string]string{"color": c.Opt("color", "")}}
	switch c.Name {
	case "create":
		o.Args["color"] = c.Opt("color", "red")
		for _, name := range c.Args() {
			o.Key = name
			if err := m.Do(o); err != nil {
				return err
			}
			m.seen.rest()
		}
		return nil
	case "update", "delete":
		return m.Do(o)
	case "write":
		return m.writeAndWait(o)
	case "handler":
		return m.storyHandler(c)
	case "informer":
		return m.storyInformer(c)
	case "valve":
		o.Args = map[string]string{"name": c.Arg(0), "mode": c.Arg(1)}
		return m.Do(o)
	case "wait":
		d, err := time.ParseDuration(c.Rest())
		if err != nil {
			return err
		}
		time.Sleep(d)
		return nil
	case "requests":
		requests := 0
		m.seen.amend(func(m *model) { requests = m.server.now.requests })
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
func (m *Machine) storyHandler(c story.Command) error {
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
func (m *Machine) storyInformer(c story.Command) error {
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

// writeAndWait updates an object, and reports when the cache shows the write.
func (m *Machine) writeAndWait(o Order) error {
	o.Do = "update"
	if err := m.Do(o); err != nil {
		return err
	}
	m.seen.pace(wirePace)
	m.mu.Lock()
	defer m.mu.Unlock()
	version, inf := m.api.ResourceVersion(), m.informer
	m.tell("writer", "waits for version "+version)
	m.running.Go(func() {
		err := inf.WaitFor(m.life, "default/"+o.Key, version)
		m.seen.pace(syncedPace)
		if err != nil {
			m.tell("writer", err.Error())
			return
		}
		m.tell("writer", "the cache has reached version "+version)
	})
	return nil
}
