package encode

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"example.com/watchglass/fakeapi/object"
)

// A layout lists the columns in which objects of a type are shown.
type layout []Column

// A Column has a head, whose fields are those of meta/v1 TableColumnDefinition, and says where its
// cells come from.
type Column struct {
	Name        string `json:"name"`
	Type        string `json:"type"` // string, integer, number, boolean or date
	Format      string `json:"format"`
	Description string `json:"description"`
	Priority    int    `json:"priority"` // above 0: only for kubectl get -o wide

	Paths []object.Path            `json:"-"` // where the values are
	Cell  func(values [][]any) any `json:"-"` // makes the cell; nil: it is the first value
}

// Name and Age are the columns that nearly every layout has. The server prints an age as
// text, because kubectl shows cells as they are.
var (
	Name = Column{Name: "Name", Type: "string", Format: "name",
		Description: "The name, unique within a namespace.",
		Paths:       []object.Path{object.MustPath(".metadata.name")}}
	Age = column("Age", age, ".metadata.creationTimestamp")
)

// maxCell is how many bytes of a text a cell shows: more does not fit on a screen, and all columns
// may show the same large value.
const maxCell = 1 << 10

// Cells returns the row of one object: for each column a text, a number, a boolean or nil,
// which is null in JSON. It only reads o.
func (l layout) Cells(o object.Tree) []any {
	cells := make([]any, len(l))
	for i, c := range l {
		cells[i] = c.cell(o)
		if s, ok := cells[i].(string); ok && len(s) > maxCell {
			cells[i] = strings.ToValidUTF8(s[:maxCell], "")
		}
	}
	return cells
}

func (c Column) cell(o object.Tree) any {
	values := make([][]any, len(c.Paths))
	for i, p := range c.Paths {
		values[i] = p.All(o)
	}
	if c.Cell != nil {
		return c.Cell(values)
	}
	for _, v := range slices.Concat(values...) {
		return c.show(v)
	}
	return nil
}

// show returns v as the column's type shows it: a date as an age. A value of another type shows
// nothing, but for a column of text, which shows anything.
func (c Column) show(v any) any {
	_, isWhole := v.(int64)
	fraction, isFraction := v.(float64)
	switch is := func(kind string) bool { return c.Type == kind }; {
	case v == nil:
	case is("string"):
		return text(v)
	case is("integer") && isWhole, is("number") && (isWhole || isFraction):
		return v
	case is("integer") && isFraction:
		return int64(fraction)
	case is("boolean"):
		if b, ok := v.(bool); ok {
			return b
		}
	case is("date"):
		if s, ok := v.(string); ok {
			return since(s)
		}
	}
	return nil
}

// text returns any JSON value as text: strings as they are, others as JSON, of which a cell needs
// only the beginning.
func text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	var b strings.Builder
	writeText(&b, v)
	return b.String()
}

// writeText writes the JSON of a value, until it is more than a cell shows.
func writeText(b *strings.Builder, v any) {
	open := "["
	comma := func() {
		b.WriteString(open)
		open = ","
	}
	switch v := v.(type) {
	case object.Tree:
		open = "{"
		for _, key := range firstKeys(v) {
			if comma(); b.Len() > maxCell {
				return
			}
			b.Write(object.JSON(key))
			b.WriteString(":")
			writeText(b, v[key])
		}
		b.WriteString(strings.Replace(open, ",", "", 1) + "}")
	case []any:
		for _, e := range v {
			if comma(); b.Len() > maxCell {
				return
			}
			writeText(b, e)
		}
		b.WriteString(strings.Replace(open, ",", "", 1) + "]")
	case string:
		b.Write(object.JSON(v[:min(len(v), maxCell)]))
	default:
		b.Write(object.JSON(v))
	}
}

// firstKeys returns the keys of an object in their order, but no more than a cell shows: an object
// may have a hundred thousand, and be shown by all columns.
func firstKeys(o object.Tree) []string {
	const most = maxCell / len(`"":0`)
	var keys []string
	for key := range o {
		if len(keys) == most && key > keys[most-1] {
			continue
		}
		at, _ := slices.BinarySearch(keys, key)
		keys = slices.Insert(keys, at, key)
		keys = keys[:min(len(keys), most)]
	}
	return keys
}

// since returns the time that has passed since a timestamp, as kubectl shows it.
func since(timestamp string) string {
	if timestamp == "" {
		return "<unknown>"
	}
	t, err := time.Parse(time.RFC3339, timestamp)
	if err != nil {
		return "<invalid>"
	}
	return shortDuration(time.Since(t))
}

const day, year = 24 * time.Hour, 365 * 24 * time.Hour

// ages says in which units a duration is shown: in one, and the rest in a smaller one where it
// matters. The last applies to all that are longer.
var ages = []struct{ below, unit, small time.Duration }{
	{2 * time.Minute, time.Second, 0}, {10 * time.Minute, time.Minute, time.Second},
	{3 * time.Hour, time.Minute, 0}, {8 * time.Hour, time.Hour, time.Minute},
	{2 * day, time.Hour, 0}, {8 * day, day, time.Hour},
	{2 * year, day, 0}, {8 * year, year, day}, {math.MaxInt64, year, 0},
}

var unitNames = map[time.Duration]string{time.Second: "s", time.Minute: "m", time.Hour: "h",
	day: "d", year: "y"}

// shortDuration returns a duration in at most two units, and in one unit where the second
// would not matter: 90s, 5m3s, 47m, 3h12m, 20h, 2d5h, 40d, 3y20d.
func shortDuration(d time.Duration) string {
	if d <= -2*time.Second {
		return "<invalid>" // the time is in the future, by more than clocks may differ
	}
	d = max(d, 0)
	for _, a := range ages {
		if d >= a.below {
			continue
		}
		text := fmt.Sprint(int64(d/a.unit), unitNames[a.unit])
		if rest := d % a.unit; a.small > 0 && rest >= a.small {
			text += fmt.Sprint(int64(rest/a.small), unitNames[a.small])
		}
		return text
	}
	return "" // the last one is for all
}
