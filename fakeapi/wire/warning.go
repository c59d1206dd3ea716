package wire

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/watchglass/fakeapi/status"
)

// The limits of warnings, in characters: up to maxWarned in all, every text is sent whole.
// Beyond that, each text is cut off at maxWarning, and texts are sent until there are
// maxWarned characters. Both are the real server's limits.
const (
	maxWarned  = 4096
	maxWarning = 256
)

// agent begins a Warning header: the code 299 for a persistent warning, and a dash in place
// of the server's name.
const agent = "299 - "

// Warn sets Warning headers (RFC 7234, section 5.5) about flaws in an accepted request, each text
// once; kubectl prints them.
func Warn(w http.ResponseWriter, texts []string) {
	seen := map[string]bool{} // there may be very many
	texts = slices.DeleteFunc(texts, func(text string) bool {
		again := seen[text]
		seen[text] = true
		return again
	})
	long := utf8.RuneCountInString(strings.Join(texts, "")) > maxWarned
	for written := 0; len(texts) > 0 && written < maxWarned; texts = texts[1:] {
		text := texts[0]
		if long {
			text = status.Cut(text, maxWarning)
		}
		written += utf8.RuneCountInString(text)
		w.Header().Add("Warning", agent+strconv.Quote(text))
	}
}
