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

// archives returns the compiled packages that the benches in these folders need, one behind
// another, and where each of them is: its first byte, and how many it has. Go says which are
// needed, and compiles them.
func archives(top string, dirs []string) (all []byte, at map[string][2]int, err error) {
	dir, err := os.MkdirTemp("", "watchglass-bench-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	module, err := standIn(top, dir)
	if err != nil {
		return nil, nil, err
	}
	args := append([]string{"list", "-modfile", module, "-mod=mod", "-test", "-deps", "-export",
		"-trimpath", "-json=ImportPath,Export,ForTest,Deps"}, harness...)
	for _, dir := range dirs {
		args = append(args, "./"+dir)
	}
	out, err := forBrowser(top, args...)
	if err != nil {
		return nil, nil, fmt.Errorf("list what the benches need: %w", err)
	}
	needed, exports, err := needs(out, dirs)
	at = map[string][2]int{}
	for _, name := range needed {
		data, failed := os.ReadFile(exports[name])
		err = errors.Join(err, failed)
		at[name] = [2]int{len(all), len(data)}
		all = append(all, data...)
	}
	return all, at, err
}

// needs reads what go list prints: the packages that are linked with the tests of the benches, and
// the archive of each.
func needs(out []byte, dirs []string) (names []string, exports map[string]string, err error) {
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
	wanted := slices.Clone(harness)
	for _, dir := range dirs {
		path := repo.Module + "/" + dir
		wanted = append(wanted, fmt.Sprintf("%s [%s.test]", path, path)) // with its tests
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
