package wire

import (
	"bufio"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"example.com/watchglass/fakeapi/status"
)

// Answer writes a JSON document, which may be in several parts: on one line, or, for people,
// indented and without a newline at the end.
func Answer(w http.ResponseWriter, r *http.Request, code int, doc ...[]byte) {
	LimitAnswer(w)
	Stream(w, r, code, func(out io.Writer) {
		for _, part := range doc { // which other answers may share: nothing is appended to it
			_, _ = out.Write(part) // out keeps the error
		}
		_, _ = out.Write([]byte("\n"))
	})
}

// Fail answers with a Status.
func Fail(w http.ResponseWriter, r *http.Request, why *status.Status) {
	if d := why.Details; d != nil && d.RetryAfterSeconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(d.RetryAfterSeconds))
	}
	Answer(w, r, why.Code, why.Encode())
}

// Stream answers with a JSON document that write produces, and a newline. It goes through a buffer
// of fixed size, also if it is indented, so that a longer document needs no more memory. out keeps
// its first error and returns it from each later write. The caller has set a deadline: see
// LimitAnswer.
func Stream(w http.ResponseWriter, r *http.Request, code int, write func(out io.Writer)) {
	w.Header().Set("Content-Type", JSON)
	w.WriteHeader(code)
	b := buffers.Get().(*bufio.Writer)
	b.Reset(w)
	if isPretty(r) {
		write(&indenter{to: b})
	} else {
		write(b)
	}
	_ = b.Flush() // fails only if the client has disconnected, or does not read
	buffers.Put(b)
}

var buffers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, 16<<10) }}

// isPretty reports whether the answer is indented JSON: if the request asks for it, or
// comes from curl, wget or a browser.
func isPretty(r *http.Request) bool {
	// To decode all parameters would take long, for a request that may have been refused for them.
	for parameter := range strings.SplitSeq(r.URL.RawQuery, "&") {
		if v, ok := strings.CutPrefix(parameter, "pretty="); ok && v != "" {
			pretty, _ := strconv.ParseBool(v)
			return pretty
		}
	}
	return isForPeople(r.UserAgent())
}

// isForPeople reports whether a User-Agent is that of curl, wget or a browser.
var isForPeople = regexp.MustCompile(`^(curl|Wget|Mozilla/5\.0)`).MatchString

// maxWarnings is how many texts are sent.
const maxWarnings = 16

// agent begins a Warning header: the code 299 for a persistent warning, and a dash in place
// of the server's name.
const agent = "299 - "

// Warn sets Warning headers (RFC 7234, section 5.5) about an accepted request; kubectl prints them.
func Warn(w http.ResponseWriter, texts []string) {
	for _, text := range texts[:min(len(texts), maxWarnings)] {
		w.Header().Add("Warning", agent+strconv.Quote(text))
	}
}
