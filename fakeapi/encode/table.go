package encode

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"

	"example.com/watchglass/fakeapi/object"
)

// A tableDoc is meta/v1 Table: kubectl get asks for it, so that it can print resources that
// it does not know.
type tableDoc struct {
	Kind       string          `json:"kind"`
	APIVersion string          `json:"apiVersion"`
	Metadata   json.RawMessage `json:"metadata"`
	Columns    layout          `json:"columnDefinitions"` // null if bare
	Rows       []struct{}      `json:"rows"`              // empty: see tableHead
}

// layoutOf returns the columns of the type's tables: its Columns or, if a built-in type has
// none, those of printer.go. The last is the age, unless a definition names columns; that of
// definitions themselves is one of their own.
func layoutOf(typ *object.Type) layout {
	if l, ok := builtin[typ.QualifiedName()]; ok && len(typ.Columns) == 0 {
		return l
	}
	l := layout{Name}
	for _, c := range typ.Columns {
		l = append(l, Column{Name: c.Name, Type: cmp.Or(c.Type, "string"), Priority: c.Priority,
			Description: "The value of " + c.Path + ".",
			Paths:       []object.Path{object.MustPath(c.Path)}}) // it was validated
	}
	if typ.IsDefinition() || typ.Defined && len(typ.Columns) > 0 {
		return l
	}
	age := Age
	age.Type = "date" // as a CustomResourceDefinition's column of that name
	return append(l, age)
}

// row returns the row of a document, in parts. version takes the place of its own.
func (enc Encoder) row(l layout, d *object.Document, version uint64) [][]byte {
	var cells []any
	enc.turns.Decode(d, func(t object.Tree) {
		if version != d.Version() {
			object.MetaOf(t)["resourceVersion"] = strconv.FormatUint(version, 10)
		}
		cells = l.Cells(t)
	})
	return enc.rowOf(cells, d.At(version), partial(d, version))
}

// rowOf returns a row with these cells, and the part of an object that the client wants to have.
func (enc Encoder) rowOf(cells []any, whole, partial [][]byte) [][]byte {
	switch enc.include {
	case "None":
		partial = [][]byte{[]byte("null")}
	case "Object":
		partial = whole
	}
	head := fmt.Appendf(nil, `{"cells":%s,"object":`, object.JSON(cells))
	return slices.Concat([][]byte{head}, partial, closed)
}

// tableHead returns a table under a list's metadata, up to its rows. They are made and written
// one by one, so that a long table needs no memory. listTail ends it.
func (enc Encoder) tableHead(listMeta string) []byte {
	t := tableDoc{Kind: table, APIVersion: metaVersion,
		Metadata: json.RawMessage(listMeta), Rows: []struct{}{}}
	if !enc.bare {
		t.Columns = layoutOf(enc.typ)
	}
	return bytes.TrimSuffix(object.JSON(t), []byte(listTail))
}

const listTail = "]}"

func (enc Encoder) tableOf(listMeta string, row [][]byte) [][]byte {
	return slices.Concat([][]byte{enc.tableHead(listMeta)}, row, [][]byte{[]byte(listTail)})
}

// metaAt returns metadata with only a version.
func metaAt(version uint64) string { return fmt.Sprintf(`{"resourceVersion":"%d"}`, version) }

// List writes a page as a list and a newline. next is the continue token. The documents' bytes go
// to w as they are stored; other elements are made one by one. w has to keep its first error and
// return it from each later write, as bufio.Writer does: List ends early then.
func (enc Encoder) List(w io.Writer, p object.Page, next string) {
	custom := enc.as == itself && !enc.typ.Builtin()
	meta := listMeta(p, next, custom)
	item := func(d *object.Document) [][]byte { return enc.Object(d, d.Version()) }
	head, tail, skip := "", listTail, 0 // skip is how much of an element is left out after its "{"
	switch {
	case enc.as == table:
		head = string(enc.tableHead(meta))
		l := layoutOf(enc.typ)
		item = func(d *object.Document) [][]byte { return enc.row(l, d, d.Version()) }
	case enc.as == metadataList:
		head = open(metadataList, metaVersion) + meta + `,"items":[`
	case custom: // sorted keys: clients have to find the metadata after the elements, too
		head = `{"apiVersion":"` + enc.typ.APIVersion() + `","items":[`
		tail = `],"kind":"` + enc.typ.Kind + `List","metadata":` + meta + "}"
	default: // elements lack kind and apiVersion, which come first in the document
		head = open(enc.typ.Kind+"List", enc.typ.APIVersion()) + meta + `,"items":[`
		skip = len(object.Head(enc.typ)) - len("{")
	}
	_, _ = io.WriteString(w, head)
	start := "{"
	for _, d := range p.Docs {
		_, _ = io.WriteString(w, start)
		parts := item(d)
		parts[0] = parts[0][len("{")+skip:]
		for _, part := range parts {
			if _, err := w.Write(part); err != nil {
				return // the client has disconnected, or does not read
			}
		}
		start = ",{"
	}
	_, _ = io.WriteString(w, tail+"\n")
}

// listMeta returns a list's metadata as JSON. A list of custom resources always has continue, as in
// the real server.
func listMeta(p object.Page, next string, custom bool) string {
	meta := fmt.Sprintf(`{"resourceVersion":"%d"`, p.Version)
	if next != "" || custom {
		meta += `,"continue":"` + next + `"`
	}
	if p.Remaining >= 0 {
		meta += fmt.Sprintf(`,"remainingItemCount":%d`, p.Remaining)
	}
	return meta + "}"
}
