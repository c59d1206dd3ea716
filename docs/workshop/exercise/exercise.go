// Package exercise is what the tests of the workshop's exercises have in common: as long as the
// body of an exercise is not written, its tests are skipped and say where to write it.
//
//	//go:embed missing.go
//	var source string
//
//	func TestMissing(t *testing.T) {
//		exercise.Start(t, "missing.go", source)
//		…
//	}
//
// There is no list of what has been solved and no marker to delete: an exercise is open while a
// panic("TODO") stands in its file, and writing the body switches its laws on. Because the test
// embeds the very text that was compiled, this holds for a file laid over it with go test -overlay,
// too, and no panic is ever executed.
package exercise

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
	"time"
)

// todo is what the argument of panic begins with in an exercise that is open.
const todo = "TODO"

// Start skips the test if the source of the exercise still has a panic("TODO") in it, and says in
// which line. file is the name of the source, for that message. If the source does not parse, it
// would not have compiled either, so Start fails the test.
func Start(t *testing.T, file, source string) {
	t.Helper()
	line, err := FirstTODO(source)
	if err != nil {
		t.Fatalf("%s is not Go: %v", file, err)
	}
	if line > 0 {
		t.Skipf("TODO  write %s:%d", file, line)
	}
	watchdog := time.AfterFunc(patience, func() {
		panic(fmt.Sprintf("%s has run for %v: does a loop in %s never end, or does it wait for ever?",
			t.Name(), patience, file))
	})
	t.Cleanup(func() { watchdog.Stop() })
}

// patience is how long the laws of an exercise may take. They take milliseconds; what takes this
// long will never end.
const patience = 20 * time.Second

// FirstTODO returns the line, counted from 1, of the first panic("TODO") in a Go source, 0 if there
// is none. The text may go on behind TODO. The error is the parser's.
func FirstTODO(source string) (line int, err error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", source, parser.SkipObjectResolution)
	if err != nil {
		return 0, err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && line == 0 && isTODO(call) {
			line = files.Position(call.Pos()).Line
		}
		return line == 0
	})
	return line, nil
}

func isTODO(call *ast.CallExpr) bool {
	name, ok := call.Fun.(*ast.Ident)
	if !ok || name.Name != "panic" || len(call.Args) != 1 {
		return false
	}
	text, ok := call.Args[0].(*ast.BasicLit)
	if !ok || text.Kind != token.STRING {
		return false
	}
	said, err := strconv.Unquote(text.Value)
	return err == nil && strings.HasPrefix(said, todo)
}
