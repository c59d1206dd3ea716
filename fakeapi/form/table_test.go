package form

import (
	"testing"

	"example.com/watchglass/fakeapi/printer"
	"example.com/watchglass/fakeapi/resource"
	"github.com/stretchr/testify/assert"
)

func TestAResourcesOwnColumnsTakePrecedence(t *testing.T) {
	own := resource.New(resource.Resource{Version: "v1", Plural: "pods", Kind: "Pod",
		Columns: []resource.Column{{Name: "Colour", Path: ".spec.colour"}}})
	columns := layoutOf(own)
	assert.Equal(t, []string{"Name", "Colour", "Age"}, namesOf(columns), "even for a built-in type")
	assert.Equal(t, "date", columns[2].Type)
	plain := resource.New(resource.Resource{Group: "g", Version: "v1", Plural: "things", Kind: "Thing"})
	assert.Equal(t, []string{"Name", "Age"}, namesOf(layoutOf(plain)))
}

func namesOf(columns printer.Layout) (names []string) {
	for _, c := range columns {
		names = append(names, c.Name)
	}
	return names
}
