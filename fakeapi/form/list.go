package form

import (
	"io"
	"strconv"
	"strings"

	"example.com/watchglass/fakeapi/object"
)

// A Writer takes the bytes of a list. It keeps its first error, so that rendering need not
// check each write: bufio.Writer does, and bytes.Buffer has no errors.
type Writer interface {
	io.Writer
	io.StringWriter
}

// List writes a page as a list and a newline. next is the continue token. The documents'
// bytes go to w as they are stored.
func (f Form) List(w Writer, p object.Page, next string) {
	meta := listMeta(f.typ.Builtin() || f.as != itself, p, next)
	switch f.as {
	case table:
		_, _ = w.Write(f.table(meta, p.Docs).encode())
		_, _ = w.WriteString("\n")
		return
	case metadataList:
		_, _ = w.WriteString(f.open(metadataList) + meta + `,"items":[`)
		writeItems(w, p.Docs, func(d *object.Document) []byte { return f.partial(d)[1:] })
		_, _ = w.WriteString("]}\n")
		return
	}
	kind, version := `"kind":"`+f.typ.Kind+`List"`, `"apiVersion":"`+f.typ.APIVersion()+`"`
	head, tail := `{`+version+`,"items":[`, `],`+kind+`,"metadata":`+meta+"}\n"
	skip := len("{")
	if f.typ.Builtin() {
		head, tail = `{`+kind+`,`+version+`,"metadata":`+meta+`,"items":[`, "]}\n"
		// Elements lack kind and apiVersion, which come first in the document.
		skip = len(object.Head(f.typ))
	}
	_, _ = w.WriteString(head)
	writeItems(w, p.Docs, func(d *object.Document) []byte { return f.Object(d)[skip:] })
	_, _ = w.WriteString(tail)
}

// listMeta returns a list's metadata as JSON. A list of custom resources has sorted keys and
// always has continue. Lists of built-in types, tables and lists of metadata leave an
// empty continue out.
func listMeta(builtin bool, p object.Page, next string) string {
	fields := []string{`"resourceVersion":"` + strconv.FormatUint(p.Version, 10) + `"`}
	var more []string
	if next != "" || !builtin {
		more = append(more, `"continue":"`+next+`"`)
	}
	if p.Remaining >= 0 {
		more = append(more, `"remainingItemCount":`+strconv.Itoa(p.Remaining))
	}
	if builtin {
		fields = append(fields, more...)
	} else {
		fields = append(more, fields...)
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// writeItems writes elements separated by commas. item returns what follows an
// element's "{".
func writeItems(w Writer, docs []*object.Document, item func(*object.Document) []byte) {
	open := "{"
	for _, d := range docs {
		_, _ = w.WriteString(open)
		_, _ = w.Write(item(d))
		open = ",{"
	}
}
