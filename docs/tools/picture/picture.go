// Package picture draws tapes.
//
//	figure, err := picture.Of("3-deltafifo", recorder)
//	page.WriteString(figure) // and picture.CSS in a style sheet of the page
//
// There is one picture for each of the chapters 0 to 7, as SVG. It makes one claim. What it shows
// is read from a tape, from the reflector's table, from a story's state or from what fakeapi sends,
// so that no version and no name in it can get out of date: if a story does not have any more what
// its picture needs, [Of] returns an error that says so. A figure has two drawings of one picture,
// for wide and for narrow columns of text; the style shows the one that fits. Colours are classes,
// so these pictures need no style of their own and no script.
//
// Any tape can be drawn as lanes (lanes.go): one column for each stage, with time going downwards,
// and an arrow where an object moves on from one stage to the next. [OfTape] and [Overview] draw
// lanes as SVG files, and a [Tour] on a terminal.
//
// An object has the colour and the shape that it has on the live page, in all of them.
package picture

import (
	_ "embed"
	"fmt"
	"html"

	"example.com/watchglass/docs/tools/tape"
)

// CSS is the style of all pictures. It uses the variables --text, --soft, --paper, --shade and
// --line of the page, if there are any, and follows the page's color-scheme.
//
//go:embed picture.css
var CSS string

// plan is a picture before it is drawn. All that could be missing has been found.
type plan struct {
	claim string // in a sentence or two: the caption
	says  string // the same as the drawing, for those who cannot see it
	draw  func(*canvas)
}

// plans has the function that collects what a chapter's picture shows.
var plans = map[string]func(archive) (plan, error){
	"0-the-map":           fivePlaces,
	"1-fakeapi":           sameBytes,
	"2-reflector":         brokenWatch,
	"3-deltafifo":         threeSets,
	"4-indexer":           movingKey,
	"5-processor":         twoRings,
	"6-informer":          syncedMoments,
	"7-when-things-break": faultTree,
}

// Of returns the picture of a chapter as HTML, both drawings and a caption. The chapter is named as
// its file is, without .md; "" is returned for one without a picture. r plays the stories that
// it is drawn from.
func Of(chapter string, r *tape.Recorder) (string, error) {
	collect := plans[chapter]
	if collect == nil {
		return "", nil
	}
	p, err := collect(archive{r})
	if err != nil {
		return "", fmt.Errorf("the picture of chapter %s: %w", chapter, err)
	}
	return fmt.Sprintf("<figure class=\"picture\">\n%s%s<figcaption>%s</figcaption>\n</figure>\n",
		p.svg("wide", wideWidth), p.svg("narrow", narrowWidth), html.EscapeString(p.claim)), nil
}

// archive plays the stories that pictures are drawn from.
type archive struct{ *tape.Recorder }

// play plays a story, given by its file from the top of the module.
func (a archive) play(file string) *reel {
	t, err := a.Play(file)
	if err != nil {
		return &reel{file: file, err: err}
	}
	return &reel{file: file, events: t.Events}
}

// reel is a tape that is read forwards. The first thing that is missing is kept as the error, and
// what is read after that is empty: so a picture collects all it needs, and then looks at err once.
type reel struct {
	file   string
	events []*tape.Event
	at     int // the number of the event that was read last
	err    error
}

// fail keeps the first error.
func (r *reel) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%s, after event %d: "+format, append([]any{r.file, r.at}, args...)...)
	}
}

// nothing is what is read of a tape that has not what is looked for.
var nothing = &tape.Event{State: tape.State{Server: &tape.ServerState{}, Wire: &tape.WireState{},
	Reflector: &tape.ReflectorState{}, Queue: &tape.QueueState{}, Cache: &tape.CacheState{}}}

// next reads on to the next event of this lane and kind, and of this text if it is not "".
func (r *reel) next(lane, kind, text string) *tape.Event {
	for i := r.at + 1; i < len(r.events); i++ {
		if e := r.events[i]; e.Lane == lane && e.Kind == kind && (text == "" || e.Text == text) {
			r.at = i
			return e
		}
	}
	r.fail("no event of %s is of kind %q %s", lane, kind, text)
	return nothing
}

// last reads on to the last event of this lane and kind.
func (r *reel) last(lane, kind string) *tape.Event {
	for i := len(r.events) - 1; i > r.at; i-- {
		if e := r.events[i]; e.Lane == lane && e.Kind == kind {
			r.at = i
			return e
		}
	}
	return r.next(lane, kind, "") // which fails
}

// rest are the events after the one that was read last.
func (r *reel) rest() []*tape.Event { return r.events[min(r.at+1, len(r.events)):] }
