package main

import (
	"errors"
	"net/http"

	"example.com/watchglass/docs/tools/tape"
)

// scene is a lesson with its tape.
type scene struct {
	tape.Lesson
	tape *tape.Tape
}

// scenes records what the page begins with: the story that was given, else the lessons.
func (o options) scenes(source *tape.Source) (scenes []scene, err error) {
	if o.story != "" {
		s, err := source.Story(o.story)
		if err != nil {
			return nil, err
		}
		if o.queue != tape.DeltaFIFO {
			s.Queue = o.queue
		}
		t, err := tape.Record(s, source)
		return []scene{{tape.Lesson{Name: "story", Title: "the story"}, t}}, err
	}
	for _, l := range tape.Lessons {
		t, err := l.Record(source)
		if err != nil {
			return nil, err
		}
		if l, err = l.On(t); err != nil {
			return nil, err
		}
		scenes = append(scenes, scene{l, t})
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
