package tape

import (
	_ "embed" // for the lessons
	"fmt"
	"slices"
	"strings"
)

// Lesson is a story that a machine has played, cut into beats: a step leads from one beat to the
// next. So a lesson begins where its subject begins, and routine is one step. What was before the
// first beat is on the tape, too.
type Lesson struct {
	Name  string `json:"name"` // in addresses
	Title string `json:"title"`
	Story string `json:"story"` // its file, from the top of the module
	Beats []Beat `json:"beats"` // the first is where the subject begins

	// Question is asked before the beat that answers it.
	Question string   `json:"question"`
	Answers  []Answer `json:"answers"` // the right one has no reply
	Proof    string   `json:"-"`       // the event that answers it, as in Beat.At
	ProofAt  int      `json:"proof"`   // its number

	// Verbs are the buttons that a reader gets with *take over*: the name of each, and its object.
	Verbs []string `json:"verbs"`
}

// Beat is an event at which a step stops.
type Beat struct {
	At   string `json:"-"`    // its text, after its lane where two lanes have the same text
	Says string `json:"says"` // what has happened since the beat before
	Seq  int    `json:"seq"`  // its number on the tape

	// A minute's beats have more. Without Press a beat passes by itself.
	Press  string `json:"press,omitempty"` // what the button says that leads on from here
	Line   string `json:"-"`               // the event whose line of source is shown; "": none
	LineAt int    `json:"line,omitempty"`  // its number
}

// Answer is what a reader can choose.
type Answer struct {
	Text  string `json:"text"`
	Reply string `json:"reply"` // why it is wrong; "": it is right
}

// Lessons are the scenes, in the order of their tabs.
var Lessons = readLessons(lessonsText)

// Minutes are the scenes of the book's front page.
var Minutes = readLessons(minutesText)

// Asides are scenes of single chapters. They are told and asked as lessons are, and have no tab.
var Asides = readLessons(asidesText)

var (
	//go:embed lessons.txt
	lessonsText string
	//go:embed minutes.txt
	minutesText string
	//go:embed asides.txt
	asidesText string
)

func readLessons(text string) (all []Lesson) {
	for line := range strings.Lines(text) {
		sign, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		cells := append(strings.Split(rest, " | "), "")
		l := &Lesson{}
		if len(all) > 0 {
			l = &all[len(all)-1]
		}
		switch sign {
		case "", "#":
		case "==":
			all = append(all, Lesson{Name: cells[0], Title: cells[1], Story: cells[2]})
		case "?":
			l.Proof, l.Question = cells[0], cells[1]
		case "!":
			l.Verbs = cells[:len(cells)-1]
		case "-":
			l.Answers = append(l.Answers, Answer{cells[0], cells[1]})
		default:
			cells := append(strings.Split(strings.TrimSpace(line), " |"), "", "", "")
			for i, cell := range cells {
				cells[i] = strings.TrimSpace(cell)
			}
			beat := Beat{At: cells[0], Says: cells[1], Press: cells[2], Line: cells[3]}
			l.Beats = append(l.Beats, beat)
		}
	}
	return all
}

// Play plays the lesson's story, and returns the lesson with the numbers that its beats and its
// proof have on the tape. A beat is the first event of its text that comes after the beat before.
// The proof is the first one of its text that comes after the first beat. A text that is not found
// is an error.
func (l Lesson) Play(r *Recorder) (Lesson, *Tape, error) {
	tape, err := r.Play(l.Story)
	if err != nil {
		return l, nil, err
	}
	find := func(text string, after int) (seq int) {
		for _, e := range tape.Events[min(after+1, len(tape.Events)):] {
			if e.Text == text || e.Lane+" "+e.Text == text {
				return int(e.Seq)
			}
		}
		err = fmt.Errorf("lesson %s: no event after %d is %q", l.Name, after, text)
		return after
	}
	l.Beats = slices.Clone(l.Beats)
	if l.Verbs == nil {
		l.Verbs = []string{"update web-1", "cut", "heal"}
	}
	for i, last := 0, -1; i < len(l.Beats) && err == nil; i++ {
		last = find(l.Beats[i].At, last)
		l.Beats[i].Seq = last
		if line := l.Beats[i].Line; line != "" {
			l.Beats[i].LineAt = find(line, l.Beats[0].Seq)
		}
	}
	if l.Proof != "" && err == nil {
		l.ProofAt = find(l.Proof, l.Beats[0].Seq)
	}
	return l, tape, err
}
