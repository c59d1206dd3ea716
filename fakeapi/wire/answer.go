package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"sync"

	"example.com/watchglass/fakeapi/status"
)

// Answer writes a JSON document: on one line, or, for people, indented and without a newline
// at the end.
func Answer(w http.ResponseWriter, r *http.Request, code int, doc []byte) {
	LimitAnswer(w)
	Stream(w, code, IsPretty(r), len(doc), func(out io.Writer) {
		_, _ = out.Write(doc)
		_, _ = io.WriteString(out, "\n")
	})
}

// Fail answers with a Status.
func Fail(w http.ResponseWriter, r *http.Request, why *status.Status) {
	if d := why.Details; d != nil && d.RetryAfterSeconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(d.RetryAfterSeconds))
	}
	Answer(w, r, why.Code, why.Encode())
}

// Stream answers with a JSON document of about size bytes that write produces, and a newline. It
// goes through a buffer of fixed size, so that the answer needs no more memory for a longer
// document. Only a short one is indented, if pretty is set. out keeps its first error and returns
// it from each later write. The caller has set a deadline: see LimitAnswer.
func Stream(w http.ResponseWriter, code int, pretty bool, size int, write func(out io.Writer)) {
	w.Header().Set("Content-Type", JSON)
	w.WriteHeader(code)
	if pretty && size <= maxPretty {
		var b bytes.Buffer
		write(&b)
		_, _ = w.Write(indented(b.Bytes())) // fails only if the client has disconnected
		return
	}
	b := buffers.Get().(*bufio.Writer)
	b.Reset(w)
	write(b)
	_ = b.Flush() // fails only if the client has disconnected, or does not read
	b.Reset(nil)  // or the pool would keep the connection alive
	buffers.Put(b)
}

var buffers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, 16<<10) }}

// Longer documents, and documents that are nested more deeply, are sent as they are: each level
// adds two spaces to each line in it.
const (
	maxPretty = 256 << 10 // bytes
	maxDepth  = 50
)

// indented returns a document for people to read, without the newline at its end.
func indented(doc []byte) []byte {
	var b bytes.Buffer
	if depth(doc) > maxDepth || json.Indent(&b, bytes.TrimSuffix(doc, []byte("\n")), "", "  ") != nil {
		return doc
	}
	return b.Bytes()
}

// depth returns how many lists and objects of a JSON document are open at once.
func depth(doc []byte) (deepest int) {
	level, quoted := 0, false
	for i := 0; i < len(doc); i++ {
		switch c := doc[i]; {
		case c == '\\': // only within a string
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			level++
			deepest = max(deepest, level)
		case c == '}' || c == ']':
			level--
		}
	}
	return deepest
}

// IsPretty reports whether the answer is indented JSON: if the request asks for it, or
// comes from curl, wget or a browser.
func IsPretty(r *http.Request) bool {
	if v := r.URL.Query().Get("pretty"); v != "" {
		pretty, _ := strconv.ParseBool(v)
		return pretty
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
