package fakeapi

import (
	"cmp"
	"encoding/json"
	"strconv"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/printer"
	"example.com/watchglass/fakeapi/resource"
)

// A table is meta/v1 Table: kubectl get asks for it, so that it can print resources that
// it does not know.
type table struct {
	Kind       string          `json:"kind"`
	APIVersion string          `json:"apiVersion"`
	Metadata   json.RawMessage `json:"metadata"`
	Columns    printer.Layout  `json:"columnDefinitions"` // null in a bare form
	Rows       []tableRow      `json:"rows"`
}

type tableRow struct {
	Cells  []any           `json:"cells"`
	Object json.RawMessage `json:"object"` // null for includeObject=None
}

// layoutOf returns the columns of the resource's tables: its Columns, or, if pods and deployments
// have none, those of the real server.
func layoutOf(r *resource.Type) printer.Layout {
	r = r.Columned()
	if l, ok := printer.Builtin(r.QualifiedName()); ok && len(r.Columns) == 0 {
		return l
	}
	l := printer.Layout{printer.Name}
	for _, c := range r.Columns {
		path, _ := printer.ParsePath(c.Path) // it was validated
		l = append(l, printer.Column{Name: c.Name, Type: cmp.Or(c.Type, "string"), Priority: c.Priority,
			Description: "The value of " + c.Path + ".", Path: path})
	}
	if r.Ageless {
		return l
	}
	age := printer.Age
	age.Type = "date" // as a CustomResourceDefinition's column of that name
	return append(l, age)
}

// row returns a document as a row.
func (f form) row(l printer.Layout, d *object.Document) tableRow {
	row := tableRow{Cells: l.Cells(d.Tree(), mostCells(len(d.Raw)))}
	switch f.include {
	case "None":
	case "Object":
		row.Object = d.Raw
	default:
		row.Object = f.partial(d)
	}
	return row
}

// mostCells returns how many bytes of text a row may have for an object of a size. Columns
// that show different parts of an object stay below it.
func mostCells(size int) int { return 2*size + 1<<10 }

// table returns a table of documents under a list's metadata.
func (f form) table(r *resource.Type, listMeta string, docs []*object.Document) table {
	l := layoutOf(r)
	t := table{Kind: "Table", APIVersion: metaGroup + "/" + f.version,
		Metadata: json.RawMessage(listMeta), Rows: []tableRow{}}
	if !f.bare {
		t.Columns = l
	}
	for _, d := range docs {
		t.Rows = append(t.Rows, f.row(l, d))
	}
	return t
}

func (t table) encode() []byte {
	b, err := json.Marshal(t)
	if err != nil {
		panic(err) // cells come from decoded JSON
	}
	return b
}

// oneRow returns a document as a table of one row, the form of watch events.
func (f form) oneRow(r *resource.Type, d *object.Document) []byte {
	return f.table(r, versionMeta(d.Version()), []*object.Document{d}).encode()
}

// versionMeta returns a list's metadata with only a version.
func versionMeta(version uint64) string {
	return `{"resourceVersion":"` + strconv.FormatUint(version, 10) + `"}`
}

// bookmarkTable returns a bookmark in table form: a row of empty cells, whose object
// has only the version.
func (f form) bookmarkTable(r *resource.Type, version uint64, meta string) []byte {
	t := f.table(r, versionMeta(version), nil)
	row := tableRow{Cells: make([]any, len(layoutOf(r)))}
	row.Cells[0] = "" // the name
	if f.include != "None" {
		row.Object = json.RawMessage(f.open("PartialObjectMetadata") + meta + `}`)
	}
	t.Rows = append(t.Rows, row)
	return t.encode()
}
