package fakeapi

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

func TestTheTraceReportsEveryFaultOfARequest(t *testing.T) {
	var traced []string
	trace := &Trace{Fault: func(r Request, f Fault) {
		traced = append(traced, fmt.Sprint(f.Kind, " for ", r.Verb, " ", r.Resource))
	}}
	bubble(t, Options{Trace: trace}, func(t *testing.T, s *Server) {
		s.Inject(Fault{Kind: FaultStatus})
		s.Inject(Fault{Kind: FaultClose})
		send(t, s, "GET", widgetsPath, "")
		open(t, s, "").rest()
	})
	assert.Equal(t, []string{"status for list widgets.workshop.example.dev",
		"close for watch widgets.workshop.example.dev"}, traced)
}

// The doc comment of each fault says which branch of a reflector it exercises, and faultKinds has
// each fault, so that a control request can name it.
func TestEveryFaultSaysWhatItIsFor(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "fault.go", nil, parser.ParseComments)
	require.NoError(t, err)
	var kinds []FaultKind
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || fmt.Sprint(spec.Type) != "FaultKind" {
			return true
		}
		name, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		require.NoError(t, err)
		kinds = append(kinds, FaultKind(name))
		assert.Contains(t, spec.Doc.Text(), "Reflector:", name)
		return true
	})
	assert.Equal(t, faultKinds, kinds)
}
