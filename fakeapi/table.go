package fakeapi

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// A table is meta/v1 Table: what kubectl get asks for, so that it can print
// resources it knows nothing about.
type table struct {
	Kind       string             `json:"kind"`
	APIVersion string             `json:"apiVersion"`
	Metadata   json.RawMessage    `json:"metadata"`
	Columns    []columnDefinition `json:"columnDefinitions"` // null in a bare form
	Rows       []tableRow         `json:"rows"`
}

// A columnDefinition is the head of a column. Columns with a priority above 0
// are for kubectl get -o wide.
type columnDefinition struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Format      string `json:"format"`
	Description string `json:"description"`
	Priority    int    `json:"priority"`
}

type tableRow struct {
	Cells  []any           `json:"cells"`
	Object json.RawMessage `json:"object"` // null for includeObject=None
}

// A layout is how a resource's objects are shown: the columns, and what is in
// them for one object, which it may look into but not change.
type layout struct {
	columns []columnDefinition
	cells   func(tree) []any
}

// layout is the resource's: what its Columns say, or, where it has none, what
// the real server has for built-in types.
func (r *Resource) layout() layout {
	if l, ok := builtinLayouts[r.QualifiedName()]; ok && len(r.Columns) == 0 {
		return l
	}
	l := layout{columns: []columnDefinition{nameColumn}, cells: r.columnCells}
	for _, c := range r.Columns {
		l.columns = append(l.columns, columnDefinition{Name: c.Name, Type: c.kind(),
			Description: "The value of " + c.Path + ".", Priority: c.Priority})
	}
	age := ageColumn
	age.Type = "date" // as a CustomResourceDefinition's column of that name
	l.columns = append(l.columns, age)
	return l
}

var (
	nameColumn = columnDefinition{Name: "Name", Type: "string", Format: "name",
		Description: "The name, unique within a namespace."}
	// The age is a date to the client's eyes, but it is the server that prints
	// it: kubectl shows cells as they are.
	ageColumn = columnDefinition{Name: "Age", Type: "string",
		Description: "The time since creation."}
)

// columnCells are the cells of a resource that defines its columns.
func (r *Resource) columnCells(t tree) []any {
	cells := []any{textAt(t, ".metadata.name")}
	for _, c := range r.Columns {
		v, _ := lookup(t, c.Path)
		cells = append(cells, c.cell(v))
	}
	return append(cells, ageOf(t))
}

// kind is the column's type, spelled out.
func (c Column) kind() string {
	if c.Type == "" {
		return "string"
	}
	return c.Type
}

// cell is a value as the column's type shows it. What is not there, and what is
// of another type, is an empty cell; only text takes everything.
func (c Column) cell(v any) any {
	if v == nil {
		return nil
	}
	switch c.kind() {
	case "integer":
		if f, ok := v.(float64); ok {
			return int64(f)
		}
		return ofType[int64](v)
	case "number":
		if i, ok := v.(int64); ok {
			return float64(i)
		}
		return ofType[float64](v)
	case "boolean":
		return ofType[bool](v)
	case "date":
		s, _ := v.(string)
		return sinceText(s)
	}
	return text(v)
}

// ofType is v if it is a T, and nil if not.
func ofType[T any](v any) any {
	if t, ok := v.(T); ok {
		return t
	}
	return nil
}

// text is any JSON value as text: strings as they are, others as JSON.
func text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

// row is a document as a row.
func (f form) row(l layout, d *document) tableRow {
	row := tableRow{Cells: l.cells(d.tree())}
	switch f.include {
	case "None":
	case "Object":
		row.Object = d.raw
	default:
		row.Object = f.partial(d)
	}
	return row
}

// table is a table of documents under a list's metadata.
func (f form) table(r *Resource, listMeta string, docs []*document) table {
	l := r.layout()
	t := table{Kind: "Table", APIVersion: metaGroup + "/" + f.version,
		Metadata: json.RawMessage(listMeta), Rows: []tableRow{}}
	if !f.bare {
		t.Columns = l.columns
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

// oneRow is a document as a table of one row, the form of watch events.
func (f form) oneRow(r *Resource, d *document) []byte {
	return f.table(r, versionMeta(d.version), []*document{d}).encode()
}

// versionMeta is a list's metadata with nothing but a version.
func versionMeta(version uint64) string {
	return `{"resourceVersion":"` + strconv.FormatUint(version, 10) + `"}`
}

// bookmarkTable is a bookmark in table form: a row of empty cells, whose object
// has only the version.
func (f form) bookmarkTable(r *Resource, version uint64, meta string) []byte {
	t := f.table(r, versionMeta(version), nil)
	row := tableRow{Cells: make([]any, len(r.layout().columns))}
	row.Cells[0] = "" // the name
	if f.include != "None" {
		row.Object = json.RawMessage(f.open("PartialObjectMetadata") + meta + `}`)
	}
	t.Rows = append(t.Rows, row)
	return t.encode()
}
