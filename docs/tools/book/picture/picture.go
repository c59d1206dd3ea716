// Package picture draws one picture for each of the chapters 0 to 7, as SVG, when the book is built.
// A picture makes one claim. What it shows is read from a tape, from the reflector's table, from a
// story's state or from what fakeapi sends, so that no version and no name in it can get out of date:
// if a story does not have any more what its picture needs, [Of] returns an error that says so.
//
//	figure, err := picture.Of("3-deltafifo", tape.OpenSource())
//	page.WriteString(figure) // and picture.CSS in a style sheet of the page
//
// A figure has two drawings of one picture, for wide and for narrow columns of text; the style shows
// the one that fits. Colours are classes, so pictures need no style of their own and no script. An
// object has the colour and the shape that it has on the live page.
package picture

import (
	_ "embed"
	"fmt"
	"html"

	"example.com/watchglass/docs/tools/tape"
)

// CSS is the style of all pictures. It uses the variables --text, --soft, --paper, --shade and --line
// of the page, if there are any, and follows the page's color-scheme.
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

// Of returns the picture of a chapter as HTML, both drawings and a caption. The chapter is named as its file
// is, without .md; "" is returned for one without a picture. It plays stories of source in bubbles of
// testing/synctest, so it must not be called in one.
func Of(chapter string, source *tape.Source) (string, error) {
	collect := plans[chapter]
	if collect == nil {
		return "", nil
	}
	p, err := collect(archive{source})
	if err != nil {
		return "", fmt.Errorf("the picture of chapter %s: %w", chapter, err)
	}
	return fmt.Sprintf("<figure class=\"picture\">\n%s%s<figcaption>%s</figcaption>\n</figure>\n",
		p.svg("wide", wideWidth), p.svg("narrow", narrowWidth), html.EscapeString(p.claim)), nil
}
