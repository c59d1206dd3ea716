package tape

import (
	"fmt"
	"strings"
	"time"

	"example.com/watchglass/docs/tools/story"
)

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
	lanes := story.NewLanes("writer", "server", "reflector", "queue", "process")
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
