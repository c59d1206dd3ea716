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
}

// Beat is an event at which a step stops.
type Beat struct {
	At   string `json:"-"`    // its text, after its lane where two lanes have the same text
	Says string `json:"says"` // what has happened since the beat before
	Seq  int    `json:"seq"`  // its number on the tape
}

// Answer is what a reader can choose.
type Answer struct {
	Text  string `json:"text"`
	Reply string `json:"reply"` // why it is wrong; "": it is right
}

// Lessons are the scenes, in the order of their tabs.
var Lessons = readLessons()

//go:embed lessons.txt
var lessonsText string

func readLessons() (all []Lesson) {
	for line := range strings.Lines(lessonsText) {
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
		case "-":
			l.Answers = append(l.Answers, Answer{cells[0], cells[1]})
		default:
			at, says, _ := strings.Cut(strings.TrimSpace(line), " | ")
			l.Beats = append(l.Beats, Beat{At: at, Says: says})
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
	for i, last := 0, -1; i < len(l.Beats) && err == nil; i++ {
		last = find(l.Beats[i].At, last)
		l.Beats[i].Seq = last
	}
	if l.Proof != "" && err == nil {
		l.ProofAt = find(l.Proof, l.Beats[0].Seq)
	}
	return l, tape, err
}
