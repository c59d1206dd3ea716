package main

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"example.com/watchglass/docs/run/live/static"
	"example.com/watchglass/docs/tools/picture"
	stories "example.com/watchglass/docs/tools/story"
	"example.com/watchglass/docs/tools/tape"
)

// A story is read once and played once. Its tape becomes a file of the book, which the pages that
// show the story load.

// story is a story file of a stage.
type story struct {
	File, Title string
	Steps       []stories.Step
	scene       *scene // nil: no machine can play it
}

// A scene is a tape that is stepped inside a page, by the scripts of the live page. Without them it
// is the picture of its tape.
type scene struct {
	tape.Lesson            // the zero lesson: the whole story, without a question
	Tape        *tape.Tape `json:"tape"`
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

// record plays a story, and returns the scene that it makes.
func (b *book) record(file string) (*scene, error) {
	s := &scene{Lesson: tape.Lesson{Story: file, Name: storyName(file)}}
	for _, l := range slices.Concat(tape.Lessons, tape.Asides) {
		if l.Story == file {
			s.Lesson = l
		}
	}
	if err := s.play(b); err != nil {
		return nil, err
	}
	for _, narrow := range []bool{false, true} {
		b.files[s.picture(narrow)] = picture.OfTape(s.Tape, s.Lesson, narrow)
	}
	return s, nil
}

// play plays the scene's story, and adds its tape to the book.
func (s *scene) play(b *book) (err error) {
	if s.Lesson, s.Tape, err = s.Play(b.recorder); err != nil {
		return err
	}
	data, err := json.Marshal(s)
	b.files[s.data()] = string(static.Packed(data))
	return err
}

// data and picture are files of the book.
func (s *scene) data() string { return "assets/scene/" + s.Name + ".json.gz" }

func (s *scene) picture(narrow bool) string {
	width := "wide"
	if narrow {
		width = "narrow"
	}
	return "assets/scene/" + s.Name + "-" + width + ".svg"
}

func (b *book) story(file string) *story {
	i := slices.IndexFunc(b.stories, func(s *story) bool { return s.File == file })
	if i < 0 {
		return nil
	}
	return b.stories[i]
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
