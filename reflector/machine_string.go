package reflector

import (
	"fmt"
	"slices"
	"strings"
)

// The names are what stories, errors and documentation show. They are words, because they are read
// in sentences.

var stateNames = [...]string{
	Listing:             "listing",
	ListingLatest:       "listing latest",
	OpeningWatch:        "opening watch",
	Watching:            "watching",
	OpeningStream:       "opening stream",
	OpeningLatestStream: "opening latest stream",
	Streaming:           "streaming",
	Stopped:             "stopped",
}

var outcomeNames = [...]string{
	Listed:       "listed",
	Opened:       "opened",
	Streamed:     "streamed",
	Expired:      "expired",
	ExpiredAgain: "expired again",
	TooLarge:     "version too large",
	Busy:         "busy",
	Internal:     "internal error",
	Ended:        "ended",
	CutShort:     "cut short",
	VeryShort:    "very short",
	Idle:         "idle",
	Unfinished:   "unfinished",
	Failed:       "failed",
	Stop:         "stop",
}

var actionNames = [...]string{GoOn: "go on", BackOff: "back off"}

// String returns the name, for example "listing latest".
func (s State) String() string { return nameOf(stateNames[:], int(s), "state") }

// String returns the name, for example "expired again".
func (o Outcome) String() string { return nameOf(outcomeNames[:], int(o), "outcome") }

// String returns the name: "go on" or "back off".
func (a Action) String() string { return nameOf(actionNames[:], int(a), "action") }

// nameOf does not panic: a name is asked for when something is printed, often while looking for the
// reason of something worse.
func nameOf(names []string, i int, what string) string {
	if i < 0 || i >= len(names) {
		return fmt.Sprintf("%s(%d)", what, i)
	}
	return names[i]
}

// String returns the row as a sentence: "watching: expired, back off → listing".
func (t Transition) String() string {
	if t.Do == GoOn {
		return fmt.Sprintf("%v: %v → %v", t.From, t.On, t.To)
	}
	return fmt.Sprintf("%v: %v, %v → %v", t.From, t.On, t.Do, t.To)
}

// FormatTable writes transitions as a table for people, a line each.
func FormatTable(table []Transition) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-22s%-19s%-10s%s\n", "in state", "upon", "do", "and enter")
	for i, t := range table {
		from := t.From.String()
		if i > 0 && table[i-1].From == t.From {
			from = "" // said on the line above
		}
		fmt.Fprintf(&b, "%-22s%-19s%-10s%s\n", from, t.On, t.Do, t.To)
	}
	return b.String()
}

// FormatDiagram draws transitions as a Mermaid state diagram, which GitHub shows as a picture.
// Outcomes that lead the same way share an arrow; the way to Stopped, open from everywhere, is
// left out.
func FormatDiagram(table []Transition) string {
	var b strings.Builder
	b.WriteString("stateDiagram-v2\n")
	for _, s := range statesOf(table) {
		fmt.Fprintf(&b, "    %s : %v\n", identifier(s), s)
	}
	fmt.Fprintf(&b, "    [*] --> %s\n", identifier(first(table)))
	drawn := map[Transition]bool{}
	for _, t := range table {
		arrow := Transition{From: t.From, Do: t.Do, To: t.To}
		if t.To == Stopped || drawn[arrow] {
			continue
		}
		drawn[arrow] = true
		fmt.Fprintf(&b, "    %s --> %s : %s\n", identifier(t.From), identifier(t.To),
			label(table, arrow))
	}
	return b.String()
}

// label lists the outcomes that share an arrow.
func label(table []Transition, arrow Transition) string {
	var outcomes []string
	for _, t := range table {
		if t.From == arrow.From && t.To == arrow.To && t.Do == arrow.Do {
			outcomes = append(outcomes, t.On.String())
		}
	}
	text := strings.Join(outcomes, ", ")
	if arrow.Do == BackOff {
		text += " (back off)"
	}
	return text
}

// statesOf returns the states that a table goes out from, in its order.
func statesOf(table []Transition) []State {
	var states []State
	for _, t := range table {
		if !slices.Contains(states, t.From) {
			states = append(states, t.From)
		}
	}
	return states
}

// first is where a reflector with this table begins.
func first(table []Transition) State {
	if slices.Contains(statesOf(table), OpeningStream) {
		return OpeningStream
	}
	return Listing
}

// identifier makes "listing latest" into "ListingLatest".
func identifier(s State) string {
	var b strings.Builder
	for word := range strings.FieldsSeq(s.String()) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}
