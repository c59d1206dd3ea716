package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"

	"example.com/watchglass/docs/tools/tape"
)

// scene is a lesson with its tape, and where that has the events that the lesson names.
type scene struct {
	tape.Lesson
	tape.Moments
	tape *tape.Tape
}

// scenes records what the page begins with: the story that was given, else the lessons. There are
// none without the module, because their stories are read there.
func (o options) scenes(source *tape.Source) (scenes []scene, err error) {
	if o.story != "" {
		text, err := os.ReadFile(o.story)
		if err != nil {
			return nil, err
		}
		t, err := tape.Record(tape.Story{Name: filepath.Base(o.story), Text: string(text),
			Queue: o.queue}, source)
		lesson := tape.Lesson{Name: "story", Title: "the story", Answers: []string{}}
		return []scene{{lesson, tape.Moments{Beats: []int{}}, t}}, err
	}
	for _, l := range tape.Lessons {
		t, err := l.Record(source)
		if errors.Is(err, tape.ErrNoSource) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		m, err := l.On(t)
		if err != nil {
			return nil, err
		}
		scenes = append(scenes, scene{l, m, t})
	}
	return scenes, nil
}

// listScenes answers the scenes without their tapes.
func (p *page) listScenes(w http.ResponseWriter, _ *http.Request) {
	reply(w, append([]scene{}, p.scenes...))
}

// scene answers the tape of a scene.
func (p *page) scene(w http.ResponseWriter, r *http.Request) {
	for _, s := range p.scenes {
		if s.Name == r.PathValue("name") {
			reply(w, s.tape)
			return
		}
	}
	fail(w, http.StatusNotFound, errors.New("there is no such scene"))
}

// apart finds what is for the site of make docs: it keeps comments from view, and folds answers.
var apart = regexp.MustCompile(`(?s)<!--.*?-->\n|<details><summary>Answer</summary>.*?</details>\n`)

// chapter answers a chapter of the documentation, as text: the titles of the places lead there.
func (p *page) chapter(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	text, err := p.module.ReadFile("docs/" + name)
	if err != nil || path.Ext(name) != ".md" {
		fail(w, http.StatusNotFound, fmt.Errorf("there is no chapter %.100q on this machine", name))
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	text = apart.ReplaceAll(text, nil)
	_, _ = w.Write(append(text, "\nmake docs shows this page with links, pictures and answers.\n"...))
}
