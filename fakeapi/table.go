package fakeapi

import (
	"encoding/json"
	"strconv"
	"time"
)

// A table is meta/v1 Table: what kubectl get asks for, so that it can print
// resources it knows nothing about.
type table struct {
	Kind       string            `json:"kind"`
	APIVersion string            `json:"apiVersion"`
	Metadata   json.RawMessage   `json:"metadata"`
	Columns    []tableDefinition `json:"columnDefinitions"`
	Rows       []tableRow        `json:"rows"`
}

type tableDefinition struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Format      string `json:"format"`
	Description string `json:"description"`
	Priority    int    `json:"priority"`
}

type tableRow struct {
	Cells  []any           `json:"cells"`
	Object json.RawMessage `json:"object,omitempty"`
}

// definitions are the table's columns: the name, what the resource defines, and
// the age.
func (r *Resource) definitions() []tableDefinition {
	defs := []tableDefinition{{Name: "Name", Type: "string", Format: "name",
		Description: "Name is unique within a namespace."}}
	for _, c := range r.Columns {
		t := c.Type
		if t == "" {
			t = "string"
		}
		defs = append(defs, tableDefinition{Name: c.Name, Type: t, Priority: c.Priority,
			Description: c.Path})
	}
	return append(defs, tableDefinition{Name: "Age", Type: "date",
		Description: "The time since creation."})
}

// row is a document as a row. The age is a date to the client's eyes, but the
// server already prints it: it is what kubectl shows.
func (r *Resource) row(d *document, f form) tableRow {
	cells := []any{d.name}
	if len(r.Columns) > 0 {
		t := d.tree()
		for _, c := range r.Columns {
			v, _ := lookup(t, c.Path)
			cells = append(cells, v)
		}
	}
	row := tableRow{Cells: append(cells, age(d.created))}
	switch f.include {
	case "None":
	case "Object":
		row.Object = d.raw
	default:
		row.Object = partial(d)
	}
	return row
}

// age is how long ago a creationTimestamp was, in kubectl's short form.
func age(created string) string {
	t, err := time.Parse(time.RFC3339, created)
	if err != nil {
		return "<unknown>"
	}
	switch d := time.Since(t); {
	case d < 2*time.Minute:
		return strconv.Itoa(int(d/time.Second)) + "s"
	case d < 2*time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + "m"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + "h"
	default:
		return strconv.Itoa(int(d/(24*time.Hour))) + "d"
	}
}

// newTable is a table of documents under a list's metadata.
func newTable(r *Resource, listMeta string, docs []*document, f form) table {
	t := table{Kind: "Table", APIVersion: metaAPIVersion, Metadata: json.RawMessage(listMeta),
		Columns: r.definitions(), Rows: []tableRow{}}
	for _, d := range docs {
		t.Rows = append(t.Rows, r.row(d, f))
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

// oneRowTable is a document as a table of one row, the form of watch events.
func oneRowTable(r *Resource, d *document, f form) []byte {
	meta := `{"resourceVersion":"` + strconv.FormatUint(d.version, 10) + `"}`
	return newTable(r, meta, []*document{d}, f).encode()
}

// bookmarkTable is a bookmark in table form: a row with an object that has only
// the version.
func bookmarkTable(r *Resource, version uint64, meta string, f form) []byte {
	t := newTable(r, `{"resourceVersion":"`+strconv.FormatUint(version, 10)+`"}`, nil, f)
	cells := make([]any, len(t.Columns))
	for i := range cells {
		cells[i] = ""
	}
	t.Rows = append(t.Rows, tableRow{Cells: cells, Object: json.RawMessage(
		`{"kind":"PartialObjectMetadata","apiVersion":"` + metaAPIVersion + `","metadata":` + meta + `}`)})
	return t.encode()
}
