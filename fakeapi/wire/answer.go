package wire

import (
	"bufio"
	"compress/gzip"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"example.com/watchglass/fakeapi/status"
)

// Answer writes a JSON document: on one line, or, for people, indented and without a newline
// at the end.
func Answer(w http.ResponseWriter, r *http.Request, code int, doc []byte) {
	AnswerAs(w, r, code, IsPretty(r), doc)
}

// AnswerAs writes a JSON document, indented if pretty is set, whatever the client asks for.
func AnswerAs(w http.ResponseWriter, r *http.Request, code int, pretty bool, doc []byte) {
	LimitAnswer(w)
	Stream(w, r, code, pretty, len(doc), func(out io.Writer) {
		_, _ = out.Write(doc)
		_, _ = io.WriteString(out, "\n")
	})
}

// Fail answers with a Status.
func Fail(w http.ResponseWriter, r *http.Request, why *status.Status) {
	if d := why.Details; d != nil && d.RetryAfterSeconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(d.RetryAfterSeconds))
	}
	// If it is not the form that was asked for, people will read it.
	AnswerAs(w, r, why.Code, !TakesPlainJSON(r) || IsPretty(r), why.Encode())
}

// Refuse answers a request that a Guard refuses: in plain JSON, whatever form it asks for.
func Refuse(w http.ResponseWriter, why *status.Status) {
	LimitAnswer(w)
	w.Header().Set("Content-Type", JSON)
	w.WriteHeader(why.Code)
	_, _ = w.Write(append(why.Encode(), '\n')) // fails only if the client has disconnected
}

// Stream answers with a JSON document of about size bytes that write produces, and a newline. It
// goes through a buffer of fixed size, indented if pretty is set, so that the answer needs no more
// memory for a longer document. out keeps its first error and returns it from each later write.
// The caller has set a deadline: see LimitAnswer.
func Stream(w http.ResponseWriter, r *http.Request, code int, pretty bool, size int,
	write func(out io.Writer)) {
	w.Header().Set("Content-Type", JSON)
	out, end := compress(w, r, size)
	w.WriteHeader(code)
	b := buffers.Get().(*bufio.Writer)
	if b.Reset(out); pretty {
		write(&indenter{out: b})
	} else {
		write(b)
	}
	_ = b.Flush() // fails only if the client has disconnected, or does not read
	b.Reset(nil)  // or the pool would keep the connection alive
	buffers.Put(b)
	end()
}

var buffers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, 16<<10) }}

// IsPretty reports whether the answer is indented JSON: if the request asks for it, or
// comes from curl, wget or a browser.
func IsPretty(r *http.Request) bool {
	if v := r.URL.Query().Get("pretty"); v != "" {
		pretty, err := strconv.ParseBool(v)
		return pretty && err == nil
	}
	best := append(mediaRanges(acceptOf(r)), mediaRange{})[0]
	return best.params["pretty"] == "1" || isForPeople(r.UserAgent())
}

// isForPeople reports whether a User-Agent is that of curl, wget or a browser.
var isForPeople = regexp.MustCompile(`^(curl|Wget|Mozilla/5\.0)`).MatchString

// gzipAbove is the size in bytes above which an answer is compressed for clients that accept it.
const gzipAbove = 128 << 10

// acceptsGzip finds only the bare word, in a list or alone: a "gzip;q=1" is not understood by the
// real server either.
var acceptsGzip = regexp.MustCompile(`(^|,)\s*gzip\s*(,|$)`).MatchString

// compress begins the body of an answer of about size bytes. If the answer is large enough and the
// client accepts it, out compresses what is written to it, and buffers only what compression needs.
// end has to be called after the last byte. The header must not have been sent yet.
func compress(w http.ResponseWriter, r *http.Request, size int) (out io.Writer, end func()) {
	if size <= gzipAbove || !acceptsGzip(r.Header.Get("Accept-Encoding")) {
		return w, func() {}
	}
	w.Header().Set("Content-Encoding", "gzip")
	w.Header().Add("Vary", "Accept-Encoding")
	z := compressors.Get().(*gzip.Writer)
	z.Reset(w)
	return z, func() {
		_ = z.Close() // fails only if the client has disconnected
		z.Reset(io.Discard)
		compressors.Put(z)
	}
}

// compressors are kept because each has a megabyte of tables.
var compressors = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed) // fails only for unknown levels
	return z
}}

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
