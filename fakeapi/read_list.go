package fakeapi

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/wire"
)

// writeList answers with a page in the form that the client wants. The documents' bytes
// go to the client as they are stored, through a buffer of fixed size, so that the
// answer needs no more memory for a longer list. Tables and indented JSON, which are for
// people, are built in memory first.
func (s *Server) writeList(w http.ResponseWriter, q *request, p object.Page, next string) error {
	f := q.form
	if err := f.fits(q.r(), true); err != nil {
		return err
	}
	meta := listMeta(q.r().Builtin() || f.as != asObject, p, next)
	if f.as == asTable || wire.IsPretty(q.http) {
		var b bytes.Buffer
		renderList(q.r(), &b, f, p, meta)
		wire.Answer(w, q.http, http.StatusOK, bytes.TrimSuffix(b.Bytes(), []byte("\n")))
		return nil
	}
	wire.Stream(w, q.http, p.Size(), func(out *bufio.Writer) { renderList(q.r(), out, f, p, meta) })
	return nil
}

// listMeta returns a list's metadata as JSON. A list of custom resources has sorted keys and
// always has continue. Lists of built-in types, tables and lists of metadata leave an
// empty continue out.
func listMeta(builtin bool, p object.Page, next string) string {
	version := `"resourceVersion":"` + strconv.FormatUint(p.Version, 10) + `"`
	token := `"continue":"` + next + `"`
	remaining := ""
	if p.Remaining >= 0 {
		remaining = `"remainingItemCount":` + strconv.Itoa(p.Remaining)
	}
	var fields []string
	switch {
	case !builtin:
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

// A textWriter keeps its first error, so that rendering need not check each write. The
// two that are used are bufio.Writer, and bytes.Buffer, which has no errors.
type textWriter interface {
	io.Writer
	io.StringWriter
}

// renderList writes a list and a newline. The documents' bytes go to w as they
// are stored.
func renderList(r *resource.Type, w textWriter, f form, p object.Page, meta string) {
	switch f.as {
	case asTable:
		_, _ = w.Write(f.table(r, meta, p.Docs).encode())
		_, _ = w.WriteString("\n")
		return
	case asMetadataList:
		_, _ = w.WriteString(f.open("PartialObjectMetadataList") + meta + `,"items":[`)
		renderItems(r, w, p.Docs, func(d *object.Document) []byte { return f.partial(d)[1:] })
		_, _ = w.WriteString("]}\n")
		return
	}
	skip := itemOffset(r)
	items := func(d *object.Document) []byte { return f.object(r, d)[skip:] }
	if r.Builtin() {
		_, _ = w.WriteString(`{"kind":"` + r.Kind + `List","apiVersion":"` + r.APIVersion() +
			`","metadata":` + meta + `,"items":[`)
		renderItems(r, w, p.Docs, items)
		_, _ = w.WriteString("]}\n")
		return
	}
	_, _ = w.WriteString(`{"apiVersion":"` + r.APIVersion() + `","items":[`)
	renderItems(r, w, p.Docs, items)
	_, _ = w.WriteString(`],"kind":"` + r.Kind + `List","metadata":` + meta + "}\n")
}

// itemOffset returns the offset at which the bytes begin that a stored document shares with
// an element of a list. Elements of custom resources have all fields; those of built-in
// types lack kind and apiVersion, which come first in the document. The element's
// opening brace is not among the shared bytes.
func itemOffset(r *resource.Type) int {
	if r.Builtin() {
		return len(object.Head(r))
	}
	return len("{")
}

// renderItems writes elements separated by commas. item returns what follows an
// element's "{".
func renderItems(r *resource.Type, w textWriter, docs []*object.Document,
	item func(*object.Document) []byte) {
	for i, d := range docs {
		open := ",{"
		if i == 0 {
			open = "{"
		}
		_, _ = w.WriteString(open)
		_, _ = w.Write(item(d))
	}
}
