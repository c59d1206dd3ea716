package fakeapi

import (
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What a client is warned of, in characters: everything, up to maxWarned. Beyond that,
// the beginning of each text, until there are maxWarned characters. Both are the real
// server's limits.
const (
	maxWarned  = 4096
	maxWarning = 256
)

// agent begins a Warning header: the code for "persistent", and no name of a server.
const agent = "299 - "

// warn tells the client of what has been accepted nevertheless, in Warning headers
// (RFC 7234, section 5.5), which kubectl prints. What the client has been told of before
// is not told again.
func warn(w http.ResponseWriter, texts []string) {
	if len(texts) == 0 {
		return
	}
	var all []string
	for _, header := range w.Header()["Warning"] {
		text, _ := strconv.Unquote(strings.TrimPrefix(header, agent)) // it was made below
		all = append(all, text)
	}
	w.Header()["Warning"] = warnings(append(all, texts...))
}

// warnings are the headers for texts.
func warnings(texts []string) []string {
	texts, length := unique(texts)
	var headers []string
	written := 0
	for _, text := range texts {
		if written >= maxWarned {
			break
		}
		if length > maxWarned {
			text = cutText(text, maxWarning)
		}
		written += utf8.RuneCountInString(text)
		headers = append(headers, agent+strconv.Quote(text))
	}
	return headers
}

// unique are the different texts, in order, and how many characters they have together.
func unique(texts []string) (all []string, length int) {
	seen := make(map[string]bool, len(texts))
	for _, text := range texts {
		if !seen[text] {
			seen[text] = true
			all = append(all, text)
			length += utf8.RuneCountInString(text)
		}
	}
	return all, length
}

// cutText is the beginning of a text, so many characters at most.
func cutText(text string, most int) string {
	for i := range text {
		if most--; most < 0 {
			return text[:i]
		}
	}
	return text
}
