// Package exercise is what the tests of the workshop's exercises have in common: as long as the
// body of an exercise is not written, its tests are skipped and say where to write it. A test
// embeds the file of the exercise, and passes it to [Start] before its laws, as
// docs/workshop/3_2_missing/missing_test.go does.
//
// There is no list of what has been solved and no marker to delete: an exercise is open while a
// panic("TODO") stands in its file, and writing the body switches its laws on. Because the test
// embeds the very text that was compiled, this holds for a file laid over it with go test -overlay,
// too, and no panic is ever executed.
package exercise

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// todo is what the argument of panic begins with in an exercise that is open.
const todo = "TODO"

// patience is how long a test may take. The laws take milliseconds. It counts the time in which
// this process runs, so a debugger's breakpoint takes none. It is real time, also for laws in a
// bubble, because Start is called outside. PATIENCE=1h in the environment gives more.
var patience = func() time.Duration {
	d, err := time.ParseDuration(os.Getenv("PATIENCE"))
	if err != nil || d <= 0 {
		return 20 * time.Second
	}
	return d
}()

// glance is how often a test is looked at.
const glance = 50 * time.Millisecond

// enough is how many bytes a test may hold. The laws hold a few MB.
const enough = 256 << 20

// Start skips the test if the source of the exercise still has a panic("TODO") in it, and says in
// which line. file is the name of the source, for that message. If the source does not parse, it
// would not have compiled either, so Start fails the test.
//
// A test that is not over after 20 seconds of its own never will be. Then Start ends the test
// program, and says where in file it was: without that, go test would say nothing for ten minutes.
// It does the same if the test holds 256 MiB, because a loop that appends uses up the machine's
// memory sooner.
func Start(t *testing.T, file, source string) {
	t.Helper()
	open, err := TODOs(source)
	if err != nil {
		t.Fatalf("%s is not Go: %v", file, err)
	}
	if len(open) > 0 {
		t.Skipf("TODO  write %s:%d", file, open[0].Line)
	}
	t.Cleanup(Limit(t.Name(), file))
}

// Limit does the second half of Start: what is called name has begun, and must come to call ended.
// file is the name of its source, "" for several exercises together.
func Limit(name, file string) (ended func()) {
	over := make(chan struct{})
	runtime.GC() // what earlier tests have left is not held by this one
	var watching sync.WaitGroup
	watching.Go(func() {
		if what := await(over); what != "" {
			stacks := make([]byte, 1<<20)
			stacks = stacks[:runtime.Stack(stacks, true)]
			fmt.Println(stuck(name, what, string(stacks), file))
			os.Exit(1)
		}
	})
	return func() { close(over); watching.Wait() }
}

// await returns what is wrong with a test that runs too long or holds too much, and "" when it is
// over.
func await(over <-chan struct{}) string {
	look := time.NewTicker(glance) // a process that is stopped misses ticks
	defer look.Stop()
	for ran := time.Duration(0); ; ran += glance {
		select {
		case <-over:
			return ""
		case <-look.C:
			if ran >= patience {
				return fmt.Sprintf("still runs after %v", patience)
			}
			var memory runtime.MemStats
			if runtime.ReadMemStats(&memory); memory.HeapAlloc > enough {
				return fmt.Sprintf("holds %d MiB", memory.HeapAlloc>>20)
			}
		}
	}
}

// Held returns how many MiB the test program holds, without garbage.
func Held() uint64 {
	var memory runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&memory)
	return memory.HeapAlloc >> 20
}

// stuck says where a test is that does not end. stacks are those of all goroutines. Of several
// exercises some may wait, as they should: only the one that runs is named.
func stuck(test, what, stacks, file string) string {
	where := ""
	isAt := regexp.MustCompile(`/(` + cmp.Or(regexp.QuoteMeta(file), `\d_\d_\w+/\w+\.go`) + `:\d+)`)
	for stack := range strings.SplitSeq(stacks, "\n\n") {
		place := isAt.FindStringSubmatch(stack)
		state, _, _ := strings.Cut(stack, "\n")
		if place != nil && (file != "" || strings.Contains(state, "[run")) {
			// The compiler gives an empty loop the first line of its file.
			where = ", in " + strings.TrimSuffix(place[1], ":1")
			break
		}
	}
	return fmt.Sprintf("%s %s%s: is there a loop that does not end, a lock that is not released, "+
		"or a channel on which one side waits forever?", test, what, where)
}

// A TODO is a panic("TODO") in a source.
type TODO struct {
	Line int
	Func string // the function around it, "" if there is none
	Last bool   // other statements come before it: perhaps the body is written
}

// TODOs returns each panic("TODO") in a Go source, in order. The text may go on behind TODO. The
// error is the parser's.
func TODOs(source string) (all []TODO, err error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range file.Decls {
		around, _ := d.(*ast.FuncDecl)
		ast.Inspect(d, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && isTODO(call) {
				todo := TODO{Line: files.Position(call.Pos()).Line}
				if around != nil {
					todo.Func = around.Name.Name
					todo.Last = around.Body.List[0].Pos() != call.Pos()
				}
				all = append(all, todo)
			}
			return true
		})
	}
	return all, nil
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
