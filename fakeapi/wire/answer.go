package wire

import (
	"bufio"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"example.com/watchglass/fakeapi/status"
)

// Answer writes a JSON document: on one line, or, for people, indented and without a newline
// at the end.
func Answer(w http.ResponseWriter, r *http.Request, code int, doc []byte) {
	if IsPretty(r) {
		AnswerIndented(w, r, code, doc)
		return
	}
	send(w, r, code, doc, "\n")
}

// AnswerIndented writes a JSON document for people, whatever the client asks for.
func AnswerIndented(w http.ResponseWriter, r *http.Request, code int, doc []byte) {
	send(w, r, code, indent(doc), "")
}

// Fail answers with a Status.
func Fail(w http.ResponseWriter, r *http.Request, why *status.Status) {
	if d := why.Details; d != nil && d.RetryAfterSeconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(d.RetryAfterSeconds))
	}
	if !TakesPlainJSON(r) { // not the form that was asked for: people will read it
		AnswerIndented(w, r, why.Code, why.Encode())
		return
	}
	Answer(w, r, why.Code, why.Encode())
}

// Refuse answers a request that a Guard refuses: in plain JSON, whatever form it asks for.
func Refuse(w http.ResponseWriter, why *status.Status) {
	limitAnswer(w)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(why.Code)
	_, _ = w.Write(append(why.Encode(), '\n')) // fails only if the client has disconnected
}

// send writes doc and then last.
func send(w http.ResponseWriter, r *http.Request, code int, doc []byte, last string) {
	limitAnswer(w)
	w.Header().Set("Content-Type", "application/json")
	out, end := compress(w, r, len(doc))
	w.WriteHeader(code)
	_, _ = out.Write(doc) // fails only if the client has disconnected
	_, _ = io.WriteString(out, last)
	end()
}

// Stream answers with a JSON document of about size bytes that write produces. It goes through
// a buffer of fixed size, so that the answer needs no more memory for a longer document.
func Stream(w http.ResponseWriter, r *http.Request, size int, write func(*bufio.Writer)) {
	limitAnswer(w)
	w.Header().Set("Content-Type", "application/json")
	out, end := compress(w, r, size)
	b := buffers.Get().(*bufio.Writer)
	b.Reset(out)
	write(b)
	_ = b.Flush() // fails only if the client has disconnected
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
	if wantsIndent(r) {
		return true
	}
	agent := r.UserAgent()
	return strings.HasPrefix(agent, "curl") || strings.HasPrefix(agent, "Wget") ||
		strings.HasPrefix(agent, "Mozilla/5.0")
}
