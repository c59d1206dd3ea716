package main

import (
	"fmt"
	"html"
	"path"
	"strings"

	"example.com/watchglass/docs/tools/diagram"
	"example.com/watchglass/reflector"
)

// code renders a code block: the strip as links to the chapters, a diagram as a picture, Go with
// its comments set apart, and everything else as it is. Above it stands where it comes from.
func (r *renderer) code(lang, text string, from origin) {
	if text := strings.TrimSpace(text); unbracketed.Replace(text) == strip {
		r.strip(text)
		return
	}
	if from == (origin{"diagram", "reflector"}) && lang == "mermaid" {
		r.out.WriteString("<figure>\n" + machine() + "</figure>\n")
		return
	}
	class := "code"
	if from.kind == "curl" {
		class = "code terminal" // its lines are long, so they are wrapped as a terminal does it
	}
	r.out.WriteString(`<div class="` + class + `">` + caption(from) + "<pre><code>")
	if lang == "go" {
		r.out.WriteString(strings.Join(highlight(text), "\n"))
	} else {
		r.out.WriteString(html.EscapeString(text))
	}
	r.out.WriteString("</code></pre></div>\n")
}

// caption says where a block comes from: an excerpt is a link, and a story one or two.
func caption(from origin) string {
	arg := html.EscapeString(from.arg)
	switch from.kind {
	case "source":
		file, name, _ := strings.Cut(from.arg, "#")
		text := path.Base(file)
		if name != "" {
			text = name + " in " + file
		}
		return fmt.Sprintf("<p class=\"from\"><a href=\"/%s\">%s</a></p>\n", arg,
			html.EscapeString(text))
	case "story":
		file, steps, _ := strings.Cut(from.arg, "#")
		if steps != "" {
			steps = ", steps " + html.EscapeString(steps)
		}
		if at := replayPath(file); at != "" {
			steps += ` · <a href="` + html.EscapeString(at) + `">replay it</a>`
		}
		return fmt.Sprintf("<p class=\"from\"><a href=\"/%s\">%s</a>%s</p>\n",
			html.EscapeString(file), html.EscapeString(path.Base(file)), steps)
	}
	return ""
}

const strip = "fakeapi ─▶ reflector ─▶ deltafifo ─▶ process loop ─▶ indexer ─▶ processor ─▶ " +
	"your handlers"

var unbracketed = strings.NewReplacer("[", "", "]", "")

// stages are the parts of the strip, with the numbers of the chapters about them.
var stages = map[string]string{"fakeapi": "1", "reflector": "2", "deltafifo": "3",
	"process loop": "6", "indexer": "4", "processor": "5", "your handlers": "6"}

// strip renders the strip of a chapter. What stands in brackets is where the reader is.
func (r *renderer) strip(text string) {
	r.out.WriteString("<nav class=\"strip\" aria-label=\"The pipe\">")
	here := false
	for i, part := range strings.Split(text, " ─▶ ") {
		name := strings.Trim(part, "[]")
		here = here || strings.HasPrefix(part, "[")
		class := ""
		if here {
			class = " class=\"here\""
		}
		if i > 0 {
			r.out.WriteString("<span class=\"arrow\"> ─▶ </span>")
		}
		fmt.Fprintf(&r.out, `<a%s href="%s">%s</a>`, class, r.chapter(stages[name]), name)
		here = here && !strings.HasSuffix(part, "]")
	}
	r.out.WriteString("</nav>\n")
}

// chapter returns the path of the chapter with this number, or of the home page if there is none.
func (r *renderer) chapter(number string) string {
	for _, l := range r.chapters {
		if strings.HasPrefix(path.Base(l.Path), number+"-") {
			return l.Path
		}
	}
	return "/"
}

// machine draws the reflector's table.
func machine() string {
	var edges []diagram.Edge
	for _, row := range reflector.Table(false) {
		edges = append(edges, diagram.Edge{
			From: row.From.String(), On: row.On.String(), Do: row.Do.String(), To: row.To.String(),
		})
	}
	return diagram.SVG(edges)
}
