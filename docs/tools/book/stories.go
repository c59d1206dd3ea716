package main

import (
	"cmp"
	"fmt"
	"html"
	"html/template"
	"path"
	"slices"
	"strings"
)

// stages are those whose stories the program of the book can play, in the order in which an object
// travels. All but the informer have an interpreter of stories in their tests, which the program
// has, too.
var stages = []string{
	"fakeapi", "reflector", "reflector/client", "deltafifo", "indexer", "processor",
	"informer", "informer/workqueue",
}

// stage is the stage whose interpreter can play a story, "" if none can.
func (s *story) stage() string {
	dir, _, _ := strings.Cut(path.Dir(s.File), "/testdata")
	if slices.Contains(stages, dir) && !strings.Contains(s.File, "/scripts/") {
		return dir
	}
	return ""
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
