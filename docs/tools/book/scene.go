package main

import (
	"cmp"
	"fmt"
	"html"
	"net/url"
	"path"
	"regexp"
	"strings"

	"example.com/watchglass/docs/run/live/static"
	"example.com/watchglass/docs/tools/page"
	"example.com/watchglass/docs/tools/picture"
	"example.com/watchglass/docs/tools/tape"
)

// stage adds what draws scenes: the style and the scripts of the live page, but for the page
// itself.
func (b *book) stage() {
	minute, _ := static.Files.ReadFile("minute.css") // it is in this program
	b.files["assets/minute.css"] = string(minute)
	b.files["assets/stage.css"] = static.Style()
	b.files["assets/stage.js"] = static.Script()
}

// front makes the front page, with its minutes. A repository without their stories has the README
// in its place.
func (b *book) front() error {
	if !b.tree.Has(tape.Minutes[0].Story) {
		b.files["index.html"] = b.files[aboutPage]
		return nil
	}
	for _, minute := range tape.Minutes {
		if err := (&scene{Lesson: minute}).play(b); err != nil {
			return err
		}
	}
	b.files["index.html"] = b.linked("index.html", asset("front.html"))
	return nil
}

// figure is the scene in a page. places are those of the live page that it shows, "" all; below
// stands what is under it, in a chapter. There the picture is loaded at once, because print does
// not wait for it.
func (s *scene) figure(places, below string) string {
	loading := "eager"
	if below == "" {
		loading = "lazy"
	}
	alt := html.EscapeString(cmp.Or(s.Title, plain(s.Name)))
	return fmt.Sprintf(`<figure class="scene" id="scene-%s" data-name="%[1]s" data-tape="/%s" data-story="/%s" data-places="%s" data-title="%s">
<picture><source media="(max-width: 50rem)" srcset="/%s"><img src="/%s" alt="%s" loading="%s"></picture>%s</figure>
`, s.Name, s.data(), s.Story, html.EscapeString(places), alt, s.picture(true), s.picture(false),
		alt, loading, below)
}

// scene renders a scene: the name of a lesson, and the places that it shows.
func (r *renderer) scene(arg string) {
	name, places, _ := strings.Cut(arg, " ")
	for _, s := range r.book.stories {
		if s.scene != nil && s.scene.Name == name {
			r.scenes++
			r.out.WriteString(s.scene.figure(places, fmt.Sprintf(
				"<figcaption><a href=\"/%s\">The whole story</a></figcaption>", s.File)))
			return
		}
	}
	r.err = cmp.Or(r.err, fmt.Errorf("there is no scene %q", name))
}

// picture renders a paragraph that is a picture of its chapter, and nothing else: in place of the
// file, a drawing that fits the page. It returns false for any other paragraph.
func (r *renderer) picture(text string) bool {
	spans := page.Spans(text, 1)
	if r.book == nil || len(spans) != 1 || spans[0].Kind != page.Image {
		return false
	}
	figure, err := picture.Of(strings.TrimSuffix(spans[0].Target, ".svg"), r.book.recorder)
	r.err = cmp.Or(r.err, err)
	r.out.WriteString(figure)
	return figure != ""
}

// moment is where a link of a chapter to a story leads, if its title has words of an event: to that
// event of its scene.
func (r *renderer) moment(target, words string) string {
	if words == "" || r.toStory(target) == nil {
		return target
	}
	return target + "#" + moment + url.PathEscape(words)
}

// sizeOf are the attributes for the size of a picture, if it is a file of ours: so nothing moves
// when it comes.
func (r *renderer) sizeOf(target string) string {
	if r.book == nil || r.book.tree == nil {
		return ""
	}
	file := strings.TrimPrefix(path.Join("/", path.Dir(r.page), target), "/")
	if !r.book.tree.Has(file) {
		return ""
	}
	m := viewBox.FindStringSubmatch(r.book.tree.Read(file))
	if m == nil {
		return ""
	}
	return fmt.Sprintf(` width="%s" height="%s"`, m[1], m[2])
}

var viewBox = regexp.MustCompile(`<svg[^>]* viewBox="0 0 (\d+) (\d+)`)

// toStory is the story that a link of the page leads to, nil if it leads to none.
func (r *renderer) toStory(target string) *story {
	if r.book == nil {
		return nil
	}
	return r.book.story(strings.TrimPrefix(path.Join("/", path.Dir(r.page), target), "/"))
}

// link renders a link. One to a moment of a scene has the name of the moment as its id: so an
// address with it leads to the paragraph, and the page's script shows the moment on the stage.
func (r *renderer) link(s page.Span) string {
	plain := renderer{} // a name in a link does not link elsewhere
	to, text := address(r.moment(s.Target, s.Title)), plain.spans(s.Inside)
	from := r.toStory(s.Target)
	if s.Title == "" || from == nil || from.scene == nil {
		return fmt.Sprintf(`<a href="%s">%s</a>`, to, text)
	}
	name := from.scene.Name + "," + slug(s.Title)
	id := ""
	if !r.named[name] {
		id = fmt.Sprintf(` id="%s"`, name)
	}
	if r.named == nil {
		r.named = map[string]bool{}
	}
	r.named[name] = true
	return fmt.Sprintf(`<a class="moment"%s data-name="%s" data-tape="/%s" data-story="/%s" href="%s">%s</a>`,
		id, name, from.scene.data(), from.File, to, text)
}

// slug is a text as it stands in an address. The scripts of stages make the same of it.
func slug(text string) string {
	return strings.Trim(notWord.ReplaceAllString(text, "-"), "-")
}

var notWord = regexp.MustCompile(`[^A-Za-z0-9_]+`)

// name is where the declaration of a name in code font is, "" if it is none of ours.
func (r *renderer) name(code string) string {
	if r.book == nil {
		return ""
	}
	if at := r.book.refs.Find(code); at != "" {
		return "/" + at
	}
	return ""
}
