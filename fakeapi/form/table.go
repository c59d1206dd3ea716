package form

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/printer"
	"example.com/watchglass/fakeapi/resource"
)

// A tableDoc is meta/v1 Table: kubectl get asks for it, so that it can print resources that
// it does not know.
type tableDoc struct {
	Kind       string          `json:"kind"`
	APIVersion string          `json:"apiVersion"`
	Metadata   json.RawMessage `json:"metadata"`
	Columns    printer.Layout  `json:"columnDefinitions"` // null in a bare form
	Rows       []row           `json:"rows"`
}

type row struct {
	Cells  []any           `json:"cells"`
	Object json.RawMessage `json:"object"` // null for includeObject=None
}

// layoutOf returns the columns of the type's tables: its Columns, or, if pods and deployments
// have none, those of the real server.
func layoutOf(typ *resource.Type) printer.Layout {
	typ = typ.Columned()
	if l, ok := printer.Builtin(typ.QualifiedName()); ok && len(typ.Columns) == 0 {
		return l
	}
	l := printer.Layout{printer.Name}
	for _, c := range typ.Columns {
		path, err := printer.ParsePath(c.Path)
		if err != nil {
			break // the real server shows no further columns, either
		}
		l = append(l, printer.Column{Name: c.Name, Type: cmp.Or(c.Type, "string"),
			Priority: c.Priority, Description: "The value of " + c.Path + ".", Path: path})
	}
	if typ.Ageless {
		return l
	}
	age := printer.Age
	age.Type = "date" // as a CustomResourceDefinition's column of that name
	return append(l, age)
}

// row returns a document as a row.
func (f Form) row(l printer.Layout, d *object.Document) row {
	r := row{Cells: l.Cells(d.Tree(), mostCells(len(d.Raw)))}
	switch f.include {
	case "None":
	case "Object":
		r.Object = d.Raw
	default:
		r.Object = f.partial(d)
	}
	return r
}

// mostCells returns how many bytes of text a row may have for an object of a size. Columns
// that show different parts of an object stay below it.
func mostCells(size int) int { return 2*size + 1<<10 }

// table returns a table of documents under a list's metadata.
func (f Form) table(listMeta string, docs []*object.Document) tableDoc {
	l := layoutOf(f.typ)
	t := tableDoc{Kind: table, APIVersion: metaGroup + "/" + f.version,
		Metadata: json.RawMessage(listMeta), Rows: []row{}}
	if !f.bare {
		t.Columns = l
	}
	for _, d := range docs {
		t.Rows = append(t.Rows, f.row(l, d))
	}
	return t
}

// metaAt returns metadata with only a version.
func metaAt(version uint64) string { return fmt.Sprintf(`{"resourceVersion":"%d"}`, version) }

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
		_, _ = w.Write(object.JSON(f.table(meta, p.Docs)))
		_, _ = w.WriteString("\n")
		return
	case metadataList:
		if len(p.Docs) == 0 { // the real server's code leaves the list nil
			_, _ = w.WriteString(f.open(metadataList) + meta + `,"items":null}` + "\n")
			return
		}
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
	version, more := fmt.Sprintf(`"resourceVersion":"%d"`, p.Version), ""
	if next != "" || !builtin {
		more = `"continue":"` + next + `",`
	}
	if p.Remaining >= 0 {
		more += fmt.Sprintf(`"remainingItemCount":%d,`, p.Remaining)
	}
	if builtin && more != "" {
		version, more = strings.TrimSuffix(more, ","), version+","
	}
	return "{" + more + version + "}"
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
