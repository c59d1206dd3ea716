package bench

import (
	"encoding/json"
	"fmt"
	"go/build/constraint"
	"path"
	"regexp"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/repo"
)

// Stages are the folders of which any file can be changed in the page.
var Stages = []string{
	"fakeapi/store", "reflector", "deltafifo", "indexer", "processor", "informer/workqueue",
}

var exerciseName = regexp.MustCompile(`^\d_\d_\w+/$`)

// Exercises lists the folders of the workshop's exercises.
func Exercises(tree *repo.Tree) (dirs []string) {
	for _, name := range tree.List("docs/workshop") {
		if exerciseName.MatchString(name) {
			dirs = append(dirs, "docs/workshop/"+strings.TrimSuffix(name, "/"))
		}
	}
	return dirs
}

// A plan is what a page needs to compile a package with its tests, and to run them.
type plan struct {
	Dir     string            `json:"dir"`
	Path    string            `json:"path"`    // under which it is imported
	Compile []string          `json:"compile"` // source and tests inside the package
	Embed   string            `json:"embed"`   // the compiler's file of what is embedded, "": nothing
	Main    string            `json:"main"`    // of the test program
	Files   map[string]string `json:"files"`   // what Compile names, and testdata

	Solution string `json:"solution,omitempty"` // of an exercise: its file, solved
	Parts    []part `json:"parts,omitempty"`    // of the pipe
}

// A part is an exercise that has a place in the pipe. Its solution runs while it is open.
type part struct {
	ID       string `json:"id"`
	Path     string `json:"path"`
	File     string `json:"file"`
	Solution string `json:"solution"`
}

// Pipe is the program that calls the exercises.
const Pipe = "docs/workshop/pipe"

// pipeOf makes the plan of the pipe, which has no tests here: it is run.
func pipeOf(tree *repo.Tree) plan {
	p := plan{Dir: Pipe, Path: repo.Module + "/" + Pipe, Files: map[string]string{}}
	imports := map[string]bool{}
	for _, name := range tree.List(Pipe) {
		at := path.Join(Pipe, name)
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		p.Compile = append(p.Compile, at)
		p.Files[at] = tree.Read(at)
		for _, spec := range tree.Go(at).Imports {
			imports[strings.Trim(spec.Path.Value, `"`)] = true
		}
	}
	for _, dir := range Exercises(tree) {
		if at := repo.Module + "/" + dir; imports[at] {
			solved, _ := solution(tree, dir) // make check says what does not fit
			p.Parts = append(p.Parts, part{idOf(dir), at, StubOf(dir), solved})
		}
	}
	return p
}

// idOf is the number of an exercise, 5.1.
func idOf(dir string) string {
	name := path.Base(dir)
	return name[:1] + "." + name[2:3]
}

// planOf makes the plan of a folder of the repository.
func planOf(tree *repo.Tree, dir string) plan {
	p := plan{Dir: dir, Path: repo.Module + "/" + dir, Files: map[string]string{}}
	var tests []string
	for _, name := range tree.List(dir) {
		at := path.Join(dir, name)
		if path.Ext(name) != ".go" || !isInside(tree, at) {
			continue
		}
		p.Files[at] = tree.Read(at)
		p.Compile = append(p.Compile, at)
		if strings.HasSuffix(name, "_test.go") {
			tests = append(tests, p.Files[at])
		}
	}
	for _, at := range tree.Files(dir + "/testdata") {
		if path.Ext(at) == ".story" || path.Ext(at) == ".template" || path.Base(at) == "laws.txt" {
			p.Files[at] = tree.Read(at)
		}
	}
	if answers := tree.Read(dir + "/testdata/answers.txt"); answers != "" {
		p.Solution, _ = solution(tree, dir) // make check says what does not fit
	}
	p.Embed = embedded(dir, tests)
	p.Main = main(p.Path, tests)
	return p
}

// StubOf is the file of an exercise that its reader writes.
func StubOf(dir string) string { return dir + "/" + path.Base(dir)[4:] + ".go" }

// solution returns the file of an exercise with its solution, which is a patch of the file.
func solution(tree *repo.Tree, dir string) (string, error) {
	patches, err := repo.Patches(tree.Read(dir + "/testdata/answers.txt"))
	if err != nil {
		return "", err
	}
	return patches[0].Apply(tree.Read(StubOf(dir)))
}

// isInside reports whether a file belongs to the package, and not to the tests outside of it, and
// whether it is compiled for a browser.
func isInside(tree *repo.Tree, at string) bool {
	file := tree.Go(at)
	if file == nil || strings.HasSuffix(file.Name.Name, "_test") {
		return false
	}
	for line := range strings.Lines(tree.Read(at)) {
		if constraint.IsGoBuild(line) {
			expr, err := constraint.Parse(strings.TrimSpace(line))
			return err == nil && expr.Eval(func(tag string) bool {
				return tag == "js" || tag == "wasm" || strings.HasPrefix(tag, "go1.")
			})
		}
	}
	return true
}

var embedForm = regexp.MustCompile(`(?m)^//go:embed (\S+)$`)

// embedded is the file that tells the compiler what is embedded: the laws of an exercise embed its
// source.
func embedded(dir string, tests []string) string {
	patterns, files := map[string][]string{}, map[string]string{}
	for _, text := range tests {
		for _, m := range embedForm.FindAllStringSubmatch(text, -1) {
			patterns[m[1]], files[m[1]] = []string{m[1]}, dir+"/"+m[1]
		}
	}
	if len(files) == 0 {
		return ""
	}
	data, _ := json.Marshal(map[string]any{"Patterns": patterns, "Files": files}) // texts
	return string(data)
}

var testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(\w+ \*testing\.([TF])\)`)

// main is the main package of a test program. That of go test finds corpora of fuzz targets and
// writes profiles, for which it draws in a fifth more packages.
func main(of string, tests []string) string {
	var laws, fuzz []string
	for _, text := range tests {
		for _, m := range testFunc.FindAllStringSubmatch(text, -1) {
			row := fmt.Sprintf("\t\t{%q, tested.%s},\n", m[1], m[1])
			switch {
			case m[1] == "TestMain":
			case m[2] == "F":
				fuzz = append(fuzz, strings.Replace(row, "{", "{Name: ", 1))
			case m[1] == "TestStories":
				laws = slices.Insert(laws, 0, row)
			default:
				laws = append(laws, row)
			}
		}
	}
	for i := range fuzz {
		fuzz[i] = strings.Replace(fuzz[i], ", ", ", Fn: ", 1)
	}
	return fmt.Sprintf(program, of, strings.Join(laws, ""), strings.Join(fuzz, ""))
}

const program = `package main

import (
	"io"
	"os"
	"reflect"
	"regexp"
	"testing"
	"time"

	tested %q
)

func main() {
	laws := []testing.InternalTest{
%s	}
	fuzz := []testing.InternalFuzzTarget{
%s	}
	os.Exit(testing.MainStart(host{}, laws, nil, fuzz, nil).Run())
}

// host is what package testing asks of go test. Only names are matched here.
type host struct{}

type corpus = struct {
	Parent     string
	Path       string
	Data       []byte
	Values     []any
	Generation int
	IsSeed     bool
}

func (host) MatchString(pattern, name string) (bool, error) {
	return regexp.MatchString(pattern, name)
}

func (host) ImportPath() string                                  { return "" }
func (host) ModulePath() string                                  { return "" }
func (host) SetPanicOnExit0(bool)                                {}
func (host) StartCPUProfile(io.Writer) error                     { return nil }
func (host) StopCPUProfile()                                     {}
func (host) StartTestLog(io.Writer)                              {}
func (host) StopTestLog() error                                  { return nil }
func (host) WriteProfileTo(string, io.Writer, int) error         { return nil }
func (host) RunFuzzWorker(func(corpus) error) error              { return nil }
func (host) ReadCorpus(string, []reflect.Type) ([]corpus, error) { return nil, nil }
func (host) CheckCorpus([]any, []reflect.Type) error             { return nil }
func (host) ResetCoverage()                                      {}
func (host) SnapshotCoverage()                                   {}

func (host) CoordinateFuzzing(
	time.Duration, int64, time.Duration, int64, int, []corpus, []reflect.Type, string, string,
) error {
	return nil
}

func (host) InitRuntimeCoverage() (
	mode string, end func(string, string) (string, error), snapshot func() float64,
) {
	return "", nil, nil
}
`
