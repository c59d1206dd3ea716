package main

import (
	"cmp"
	"fmt"
	"html"
	"html/template"
	"path"
	"regexp"
	"slices"
	"strings"

	stories "example.com/watchglass/docs/tools/story"
)

// story is a story file of a stage.
type story struct {
	File, Title string
	Steps       []stories.Step
	scene       *scene // nil: no machine can play it
}

// stages are those whose stories the program of the book can play, in the order in which an object
// travels. All but the informer have an interpreter of stories in their tests, which the program
// has, too.
var stages = []string{
	"fakeapi", "reflector", "reflector/client", "deltafifo", "indexer", "processor",
	"informer", "informer/workqueue",
}

// taped is the stage whose stories package tape plays.
const taped = "informer"

// readStories reads all stories, and plays those that a machine can play.
func (b *book) readStories() error {
	for _, file := range b.tree.Files(".") {
		if path.Ext(file) != ".story" {
			continue
		}
		s := &story{File: file, Title: plain(storyName(file))}
		var err error
		if path.Dir(file) == taped+"/testdata" {
			if s.scene, err = b.record(file); err == nil {
				s.Steps = s.scene.Tape.Steps
				b.refs.Played(file, s.scene.Tape)
			}
		} else {
			s.Steps, err = stories.Parse(b.tree.Read(file))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		b.stories = append(b.stories, s)
	}
	return nil
}

func (b *book) story(file string) *story {
	i := slices.IndexFunc(b.stories, func(s *story) bool { return s.File == file })
	if i < 0 {
		return nil
	}
	return b.stories[i]
}

// stage is the stage whose interpreter can play a story, "" if none can.
func (s *story) stage() string {
	dir, _, _ := strings.Cut(path.Dir(s.File), "/testdata")
	if slices.Contains(stages, dir) && !strings.Contains(s.File, "/scripts/") {
		return dir
	}
	return ""
}

// storyName is the name of a story, which is its claim, without its number.
func storyName(file string) string {
	return number.ReplaceAllString(strings.TrimSuffix(path.Base(file), ".story"), "")
}

var number = regexp.MustCompile(`^\d+_`)

func plain(name string) string {
	text := strings.ReplaceAll(name, "_", " ")
	return strings.ToUpper(text[:1]) + text[1:]
}

// storyPage is a story to be read and played: its prose, commands and states, the scene, and its
// text.
func (b *book) storyPage(s *story) view {
	var body strings.Builder
	fmt.Fprintf(&body, "<h1>%s</h1>\n", html.EscapeString(s.Title))
	if s.scene != nil {
		body.WriteString(s.scene.figure("", ""))
	}
	for _, step := range s.Steps {
		if len(step.Prose) > 0 {
			fmt.Fprintf(&body, "<p>%s</p>\n", html.EscapeString(strings.Join(step.Prose, " ")))
		}
		class := "step"
		if !step.Apart {
			class += " on"
		}
		fmt.Fprintf(&body, "<pre class=%q><b>▸ %s</b>", class, html.EscapeString(step.Command.Text))
		for _, line := range step.State {
			body.WriteString("\n    " + html.EscapeString(line))
		}
		body.WriteString("</pre>\n")
	}
	body.WriteString(s.editor(b))
	return view{Title: s.Title, Body: template.HTML(body.String()), Trail: trail(s.File), Scenes: true}
}

// editor is the text of a story, which the program of the book can play after it has been changed.
func (s *story) editor(b *book) string {
	text := html.EscapeString(b.tree.Read(s.File))
	if s.stage() == "" {
		return ""
	}
	return fmt.Sprintf(`<details class="editor" data-stage="%s"><summary>Change the story and play it</summary>`+
		"<textarea rows=\"20\" spellcheck=\"false\" aria-label=\"the story\">\n"+
		"%s</textarea></details>\n", s.stage(), text)
}

// allStories lists all stories by stage, with their first sentences and scenes.
func (b *book) allStories() view {
	var body strings.Builder
	body.WriteString("<h1>All stories</h1>\n<p>A story is prose, a command, and the state that the " +
		"stage shows " +
		"after it. Each is a test, and those of the stages can be changed and " +
		"played in the page.</p>\n")
	groups := map[string][]*story{}
	for _, s := range b.stories {
		of := s.stage()
		if strings.HasPrefix(s.File, "docs/grow/") {
			of = "docs/grow"
		}
		groups[of] = append(groups[of], s)
	}
	titles := map[string]string{"docs/grow": "a small informer", "": "others"}
	for _, of := range append(slices.Clone(stages), "docs/grow", "") {
		fmt.Fprintf(&body, "<h2 id=\"%s\">%s <a class=\"anchor\" href=\"#%[1]s\" aria-label=\"Link to "+
			"this heading\">#</a></h2>\n"+
			"<ul class=\"stories\">\n", cmp.Or(of, "others"), cmp.Or(titles[of], of))
		for _, s := range groups[of] {
			fmt.Fprintf(&body, "<li><a href=\"/%s\">%s</a>. %s", s.File, html.EscapeString(s.Title),
				html.EscapeString(s.sentence()))
			if s.scene != nil {
				fmt.Fprintf(&body, "<details><summary>Picture and scene</summary>%s</details>",
					s.scene.figure("", ""))
			}
			body.WriteString("</li>\n")
		}
		body.WriteString("</ul>\n")
	}
	return view{Title: "All stories", Body: template.HTML(body.String()), Scenes: true}
}

// sentence is the first sentence of a story's prose.
func (s *story) sentence() string {
	for _, step := range s.Steps {
		if prose := strings.Join(step.Prose, " "); prose != "" {
			if i := strings.Index(prose, ". "); i > 0 {
				prose = prose[:i+1]
			}
			return prose
		}
	}
	return ""
}
