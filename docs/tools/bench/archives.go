package bench

import (
	"bytes"
	_ "embed" // for the assertions
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/repo"
)

// assertions stand for testify in the page. The real one draws in net/http, and with it as much as
// everything else that is linked.
//
//go:embed testdata/assert.go.txt
var assertions string

// harness is what the main package of a test program imports (plan.go), besides the tested package.
var harness = []string{"io", "os", "reflect", "regexp", "testing", "time"}

// A listed is a package as go list prints it.
type listed struct {
	ImportPath, Export, ForTest string
	Deps                        []string
}

// archives are compiled packages, one behind another.
type archives struct {
	bytes []byte
	at    map[string][2]int // where each is: its first byte, and how many it has
}

// archivesOf returns the packages that the benches in these folders need, and those that the pipe
// needs besides. Go says which they are, and compiles them.
func archivesOf(top string, dirs []string) (of, besides archives, err error) {
	dir, err := os.MkdirTemp("", "watchglass-bench-")
	if err != nil {
		return of, besides, err
	}
	defer os.RemoveAll(dir)
	module, err := standIn(top, dir)
	if err != nil {
		return of, besides, err
	}
	list := []string{"list", "-modfile", module, "-mod=mod", "-deps", "-export", "-trimpath",
		"-json=ImportPath,Export,ForTest,Deps"}
	tested := append(append(slices.Clone(list), "-test"), harness...)
	wanted := slices.Clone(harness)
	for _, dir := range dirs {
		path := repo.Module + "/" + dir
		tested = append(tested, "./"+dir)
		wanted = append(wanted, fmt.Sprintf("%s [%s.test]", path, path)) // with its tests
	}
	if of, err = collect(top, tested, wanted, nil); err != nil {
		return of, besides, err
	}
	besides, err = collect(top, append(list, "./"+Pipe), []string{repo.Module + "/" + Pipe}, of.at)
	return of, besides, err
}

// collect runs go list and reads the archives of what is wanted, without those that are known.
func collect(top string, list, wanted []string, known map[string][2]int) (a archives, err error) {
	out, err := forBrowser(top, list...)
	if err != nil {
		return a, fmt.Errorf("list what the benches need: %w", err)
	}
	needed, exports, err := needs(out, wanted)
	a.at = map[string][2]int{}
	for _, name := range needed {
		if _, isKnown := known[name]; isKnown || inPage.MatchString(name) {
			continue
		}
		data, failed := os.ReadFile(exports[name])
		err = errors.Join(err, failed)
		a.at[name] = [2]int{len(a.bytes), len(data)}
		a.bytes = append(a.bytes, data...)
	}
	return a, err
}

// inPage matches what the page compiles: exercises, and the pipe.
var inPage = regexp.MustCompile(`/docs/workshop/(\d_\d_\w+|pipe)$`)

// needs reads what go list prints: the packages that are linked with those that are wanted, and the
// archive of each.
func needs(out []byte, wanted []string) (names []string, exports map[string]string, err error) {
	exports = map[string]string{}
	deps := map[string][]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, nil, fmt.Errorf("read what go list prints: %w", err)
		}
		exports[p.ImportPath], deps[p.ImportPath] = p.Export, append(p.Deps, p.ImportPath)
	}
	for _, name := range wanted {
		for _, dep := range deps[name] {
			// What has a space in its name is a package with its tests: the page compiles it.
			if exports[dep] != "" && !strings.Contains(dep, " ") {
				names = append(names, dep)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), exports, nil
}

// standIn writes a module with the assertions into dir, and a file of modules in which it replaces
// testify. It returns the path of this file.
func standIn(top, dir string) (string, error) {
	modules, err := os.ReadFile(filepath.Join(top, "go.mod"))
	sums, noSums := os.ReadFile(filepath.Join(top, "go.sum"))
	module := filepath.Join(dir, "testify")
	files := map[string]string{
		"go.mod": string(modules) + "\nreplace github.com/stretchr/testify => " + module + "\n",
		"go.sum": string(sums),

		"testify/go.mod":             "module github.com/stretchr/testify\n\ngo 1.25\n",
		"testify/assert/assert.go":   assertions,
		"testify/require/require.go": fatal.Replace(assertions),
	}
	err = errors.Join(err, noSums)
	for name, text := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		err = errors.Join(err, os.MkdirAll(filepath.Dir(at), 0o777),
			os.WriteFile(at, []byte(text), 0o600))
	}
	return filepath.Join(dir, "go.mod"), err
}

// fatal makes require of assert: the same assertions, after which a test does not go on.
var fatal = strings.NewReplacer("package assert", "package require",
	"fatal = false", "fatal = true")
