// Package static holds the files of the live page.
package static

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"example.com/watchglass/docs/tools/tape"
)

// Files are the files of the page.
//
//go:embed *.html *.css *.js
var Files embed.FS

// The tags of index.html in whose place a recording has the files themselves.
var (
	styleTag  = regexp.MustCompile(`<link rel="stylesheet" href="([a-z]+\.css)">`)
	scriptTag = regexp.MustCompile(`<script src="([a-z]+\.js)" defer></script>\n?`)
)

// Page is the page as one file that replays a tape, and needs no server: styles, scripts and tape are
// in it. The scripts stand at its end, in their order, because a script within a page does not wait
// for the rest of it. The tape is compressed: each of its events has the whole state, and most of that
// is the state before it.
func Page(t *tape.Tape) ([]byte, error) {
	page, err := Files.ReadFile("index.html")
	if err != nil {
		return nil, err
	}
	var data bytes.Buffer
	text := base64.NewEncoder(base64.StdEncoding, &data)
	packed := gzip.NewWriter(text)
	if err := json.NewEncoder(packed).Encode(t); err != nil {
		return nil, err
	}
	if err := errors.Join(packed.Close(), text.Close()); err != nil {
		return nil, err
	}
	end := fmt.Appendf(nil, "<script id=\"tape\" type=\"application/gzip\">%s</script>\n", &data)
	for _, tag := range scriptTag.FindAllSubmatch(page, -1) {
		script, err := Files.ReadFile(string(tag[1]))
		if err != nil {
			return nil, err
		}
		end = fmt.Appendf(end, "<script>\n%s</script>\n", script)
	}
	for _, tag := range styleTag.FindAllSubmatch(page, -1) {
		style, err := Files.ReadFile(string(tag[1]))
		if err != nil {
			return nil, err
		}
		page = bytes.Replace(page, tag[0], fmt.Appendf(nil, "<style>\n%s</style>", style), 1)
	}
	head, tail, found := bytes.Cut(scriptTag.ReplaceAllLiteral(page, nil), []byte("</body>"))
	if !found {
		return nil, errors.New("index.html does not have </body>")
	}
	return slices.Concat(head, end, []byte("</body>"), tail), nil
}

// Scripts are the names of the page's scripts, in their order. All but the last draw stages.
func Scripts() (names []string) {
	page, _ := Files.ReadFile("index.html")
	for _, tag := range scriptTag.FindAllSubmatch(page, -1) {
		names = append(names, string(tag[1]))
	}
	return names
}
