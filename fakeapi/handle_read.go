package fakeapi

import (
	"bufio"
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// get answers GET of one object.
func (s *Server) get(w http.ResponseWriter, q *request) error {
	text := q.query.Get("resourceVersion")
	version, err := parseVersion(text)
	if err != nil {
		return internalError("resourceVersion: Invalid value: %q: %v", text, err)
	}
	if err := s.store.reach(q.http.Context(), version); err != nil {
		return err
	}
	s.store.mu.RLock()
	d := q.c.current(keyOf(q.namespace, q.name))
	s.store.mu.RUnlock()
	if d == nil {
		return notFound(q.r(), q.name)
	}
	return s.answerObject(w, q, http.StatusOK, d)
}

// list answers GET of a collection.
func (s *Server) list(w http.ResponseWriter, q *request) error {
	o, status := parseListOptions(q.r(), q.query)
	if status != nil {
		return status
	}
	f, ok := negotiate(q.http.Header.Get("Accept"))
	if !ok {
		return notAcceptable(offered...)
	}
	sel := q.selection(&o)
	plan, status := planList(&o, sel.prefix())
	if status != nil {
		return status
	}
	if err := s.store.reach(q.http.Context(), plan.version); err != nil {
		return err
	}
	p, err := q.c.carryOut(plan, sel)
	if err != nil {
		return err
	}
	s.writeList(w, q, f, p, plan.token(sel, p))
	return nil
}

// The wording for versions that are no longer remembered.
const (
	listTooOld     = "The resourceVersion for the provided list is too old."
	continueTooOld = "The provided continue parameter is too old to display a consistent list " +
		"result. You can start a new list without the continue parameter, or use the continue " +
		"token in this response to retrieve the remainder of the results. Continuing with the " +
		"provided token results in an inconsistent list - objects that were created, modified, " +
		"or deleted between the time the first chunk was returned and now may show up in the list."
)

// carryOut reads what a plan asks for.
func (c *collection) carryOut(plan listPlan, sel *selection) (page, error) {
	if plan.mode != readExact && plan.mode != readContinue {
		return c.read(present, sel, plan.start, plan.limit), nil
	}
	p, ok := c.readPast(plan.version, sel, plan.start, plan.limit)
	switch {
	case ok:
		return p, nil
	case plan.mode == readExact:
		return p, expired(listTooOld)
	}
	// The rest of the list can still be had, if the client does not mind that
	// it is of another time than what it has read so far.
	status := expired(continueTooOld)
	key := strings.TrimSuffix(plan.start, "\x00")
	status.Metadata.Continue = continueAfter(anyVersion, sel.prefix(), key)
	return p, status
}

// token is the continue token for the page after p: empty if p is the last.
func (plan listPlan) token(sel *selection, p page) string {
	if p.next == "" {
		return ""
	}
	return continueAfter(int64(p.version), sel.prefix(), p.next)
}

// gzipAbove is the size in bytes from which a list is compressed for clients
// that accept it.
const gzipAbove = 128 << 10

// buffers are for writing lists: documents go through them in pieces, so that a
// list of any size needs this much memory and not more.
var buffers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, 32<<10) }}

// writeList answers with a page in form f.
func (s *Server) writeList(w http.ResponseWriter, q *request, f form, p page, next string) {
	meta := listMeta(q.r(), p, next)
	if f.kind == asTable || isPretty(q.http) {
		var b strings.Builder
		q.r().renderList(&b, f, p, meta)
		s.answer(w, q.http, http.StatusOK, []byte(strings.TrimSuffix(b.String(), "\n")))
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	var out io.Writer = w
	if p.size() > gzipAbove && acceptsGzip(q.http) {
		h.Set("Content-Encoding", "gzip")
		h.Add("Vary", "Accept-Encoding")
		z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // the level is valid
		defer z.Close()
		out = z
	}
	b := buffers.Get().(*bufio.Writer)
	b.Reset(out)
	q.r().renderList(b, f, p, meta)
	_ = b.Flush() // a client that has gone is no error of ours
	b.Reset(nil)
	buffers.Put(b)
}

// size is about how many bytes the page's documents are.
func (p page) size() int {
	n := 0
	for _, d := range p.docs {
		n += len(d.raw)
	}
	return n
}

func acceptsGzip(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
}

// listMeta is a list's metadata as JSON. A custom list has its keys sorted and
// continue always there; a built-in list leaves it out when empty.
func listMeta(r *Resource, p page, next string) string {
	version := `"resourceVersion":"` + strconv.FormatUint(p.version, 10) + `"`
	token := `"continue":"` + next + `"`
	remaining := ""
	if p.remaining >= 0 {
		remaining = `"remainingItemCount":` + strconv.Itoa(p.remaining)
	}
	var fields []string
	switch {
	case !r.Builtin():
		fields = []string{token, remaining, version}
	case next == "":
		fields = []string{version}
	default:
		fields = []string{version, token, remaining}
	}
	return "{" + joinFilled(fields) + "}"
}

func joinFilled(fields []string) string {
	filled := fields[:0:0]
	for _, f := range fields {
		if f != "" {
			filled = append(filled, f)
		}
	}
	return strings.Join(filled, ",")
}

// renderList writes a list and a newline. The documents' bytes go to w as they
// are stored. Errors are w's to remember: bufio.Writer does.
func (r *Resource) renderList(w io.StringWriter, f form, p page, meta string) {
	out := w.(io.Writer)
	switch f.kind {
	case asTable:
		_, _ = out.Write(newTable(r, meta, p.docs, f).encode())
		_, _ = w.WriteString("\n")
		return
	case asMetadata:
		_, _ = w.WriteString(`{"kind":"PartialObjectMetadataList","apiVersion":"` +
			metaAPIVersion + `","metadata":` + meta + `,"items":[`)
		r.renderItems(w, p.docs, func(d *document) []byte { return partial(d)[1:] })
		_, _ = w.WriteString("]}\n")
		return
	}
	items := func(d *document) []byte { return d.item(r) }
	if r.Builtin() {
		_, _ = w.WriteString(`{"kind":"` + r.Kind + `List","apiVersion":"` + r.APIVersion() +
			`","metadata":` + meta + `,"items":[`)
		r.renderItems(w, p.docs, items)
		_, _ = w.WriteString("]}\n")
		return
	}
	_, _ = w.WriteString(`{"apiVersion":"` + r.APIVersion() + `","items":[`)
	r.renderItems(w, p.docs, items)
	_, _ = w.WriteString(`],"kind":"` + r.Kind + `List","metadata":` + meta + "}\n")
}

// renderItems writes elements separated by commas. item returns what follows an
// element's "{".
func (r *Resource) renderItems(w io.StringWriter, docs []*document, item func(*document) []byte) {
	out := w.(io.Writer)
	for i, d := range docs {
		open := ",{"
		if i == 0 {
			open = "{"
		}
		_, _ = w.WriteString(open)
		_, _ = out.Write(item(d))
	}
}
