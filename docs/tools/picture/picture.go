// Package picture draws tapes.
//
//	figure, err := picture.Of("3-sets", recorder)
//	page.WriteString(figure) // and picture.CSS in a style sheet of the page
//
// Chapters 0 to 7 have one picture each, chapter 3 has two. A picture makes one claim. What it
// shows is read from a tape, from the reflector's table, from a story's state, from the atlas of
// faults or from what fakeapi sends, so that no version and no name in it can get out of date: if a
// story does not have any more what its picture needs, [Of] returns an error that says so. A figure
// has two drawings of one picture, for wide and for narrow columns of text; the style shows the one
// that fits. Colours are classes, so these pictures need no style of their own and no script. On a
// code host, a chapter shows the wide drawing as a [File] beside it.
//
// Any tape can be drawn as lanes (lanes.go): one column for each stage, with time going downwards,
// and an arrow where an object moves on from one stage to the next. [OfTape] and overview draw
// lanes as SVG files, and a [Tour] on a terminal.
//
// An object has the colour and the shape that it has on the live page, in all of them.
package picture

import (
	_ "embed"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"

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

// plans has the function that collects what a picture shows, by the name of its file in docs.
var plans = map[string]func(archive) (plan, error){
	"0-places":   fivePlaces,
	"1-versions": threeVersions,
	"2-ways":     fetchAndFollow,
	"3-queue":    queueAndItems,
	"3-sets":     threeSets,
	"4-index":    movingKey,
	"5-rings":    twoRings,
	"6-synced":   syncedMoments,
	"7-faults":   faultTree,
}

// Names returns the names of all pictures: NAME is in docs/NAME.svg.
func Names() []string { return slices.Sorted(maps.Keys(plans)) }

// Of returns a picture as HTML, both drawings and a caption; "" is returned for a name that is not
// among [Names]. r plays the stories that it is drawn from.
func Of(name string, r *tape.Recorder) (string, error) {
	p, err := planOf(name, r)
	if err != nil || p.draw == nil {
		return "", err
	}
	return fmt.Sprintf("<figure class=\"picture\">\n%s%s<figcaption>%s</figcaption>\n</figure>\n",
		p.svg("wide", wideWidth, ""), p.svg("narrow", narrowWidth, ""), html.EscapeString(p.claim)), nil
}

// File returns a picture as a file of its own, for light and dark screens.
func File(name string, r *tape.Recorder) (string, error) {
	p, err := planOf(name, r)
	if err != nil || p.draw == nil {
		return "", err
	}
	return p.svg("alone", wideWidth, alone()), nil
}

func planOf(name string, r *tape.Recorder) (plan, error) {
	collect := plans[name]
	if collect == nil {
		return plan{}, nil
	}
	p, err := collect(archive{r})
	if err != nil {
		return plan{}, fmt.Errorf("the picture %s: %w", name, err)
	}
	return p, nil
}

// screens are the colours of a page, on light and on dark screens.
const screens = `svg { color-scheme: light dark; --text: #1f2328; --soft: #59636e; --paper: #fff;
--shade: #f3f5f8; --line: #d1d9e0 }
@media (prefers-color-scheme: dark) { svg { --text: #f0f6fc; --soft: #9da7b1; --paper: #0d1117;
--shade: #171d26; --line: #3d444d } }
`

// alone is the style and the ground of a picture in a file of its own: the rules of [CSS] that are
// about drawings.
func alone() string {
	var rules strings.Builder
	for rule := range strings.SplitAfterSeq(CSS, "\n}\n") {
		if strings.HasPrefix(rule, ".picture ") {
			rules.WriteString(strings.Join(strings.Fields(rule), " ") + "\n")
		}
	}
	return "<style>" + screens + rules.String() + "</style>\n" +
		`<rect x="-17" y="-17" width="100%" height="100%" fill="var(--paper)"/>` + "\n"
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
