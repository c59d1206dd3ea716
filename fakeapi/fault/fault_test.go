package fault

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The doc comment of each fault says which branch of a reflector it exercises, and Kinds() has
// each fault, so that a control request can name it.
func TestEveryFaultSaysWhatItIsFor(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "fault.go", nil, parser.ParseComments)
	require.NoError(t, err)
	var kinds []Kind
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || fmt.Sprint(spec.Type) != "Kind" {
			return true
		}
		name, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		require.NoError(t, err)
		kinds = append(kinds, Kind(name))
		assert.Contains(t, spec.Doc.Text(), "Reflector:", name)
		return true
	})
	assert.Equal(t, Kinds(), kinds)
}
