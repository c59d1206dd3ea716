package form

import (
	"cmp"
	"encoding/json"
	"strconv"

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
		path, _ := printer.ParsePath(c.Path) // it was validated
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

// encode returns the table as JSON. Cells come from decoded JSON, so this cannot fail.
func (t tableDoc) encode() []byte { return object.JSON(t) }

// versionMeta returns a list's metadata with only a version.
func versionMeta(version uint64) string {
	return `{"resourceVersion":"` + strconv.FormatUint(version, 10) + `"}`
}
