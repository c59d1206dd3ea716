// Package static holds the files of the live page, and builds the program inside: the machine and
// the stages' interpreters of stories, for a browser.
package static

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"regexp"
	"strings"

	"example.com/watchglass/docs/tools/tape"
)

// Files are the files of the page.
//
//go:embed *.html *.css *.js
var Files embed.FS

// page returns the page as files for a folder: with the lessons, which are recorded for it, and
// without the program, which belongs beside them.
func page(r *tape.Recorder) (map[string][]byte, error) {
	files := map[string][]byte{}
	entries, _ := Files.ReadDir(".") // it is in this program
	for _, e := range entries {
		if e.Name() != "server.js" {
			files[e.Name()], _ = Files.ReadFile(e.Name())
		}
	}
	var lessons []tape.Lesson
	for _, l := range tape.Lessons {
		l, t, err := l.Play(r)
		if err != nil {
			return nil, err
		}
		lessons = append(lessons, l)
		data, _ := json.Marshal(t) // texts and numbers
		files["scene/"+l.Name+".json.gz"] = Packed(data)
	}
	files["scenes.json"], _ = json.Marshal(lessons)
	return files, nil
}

// Packed returns data as gzip, the same bytes each time. The best compression would take four times
// as long, and save less than one byte in a hundred.
func Packed(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(data) // into memory
	_ = w.Close()
	return b.Bytes()
}

var (
	scriptTag = regexp.MustCompile(`<script src="([a-z]+\.js)" defer></script>`)
	styleTag  = regexp.MustCompile(`<link rel="stylesheet" href="([a-z]+\.css)">`)
)

// Script and Style are what a page with stages needs, each as one file: all that the live page
// loads but for the last, which is for that page alone.
func Script() string { return strings.ReplaceAll(joined(scriptTag), "'use strict'\n", "") }

// Style is described with Script.
func Style() string { return joined(styleTag) }

func joined(tag *regexp.Regexp) string {
	page, _ := Files.ReadFile("index.html") // they are in this program
	tags := tag.FindAllSubmatch(page, -1)
	var all strings.Builder
	for _, tag := range tags[:len(tags)-1] {
		text, _ := Files.ReadFile(string(tag[1]))
		all.Write(text)
	}
	return all.String()
}
