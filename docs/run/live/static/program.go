package static

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"example.com/watchglass/docs/tools/repo"
	"example.com/watchglass/docs/tools/tape"
)

// live is the folder of the program.
const live = "docs/run/live"

// Machine returns the page with its program, as files for a folder. The program can play the
// stories of these stages, which are folders.
func Machine(top string, stages []string, r *tape.Recorder) (map[string][]byte, error) {
	code, script, err := build(top, stages)
	if err != nil {
		return nil, err
	}
	files, err := page(r)
	if err == nil {
		files["watchglass.wasm.gz"], files["wasm_exec.js"] = Packed(code), script
	}
	return files, err
}

// build builds the program from the repository at top. It returns the program and the script that
// starts it, which is Go's own. The same source and the same Go make the same bytes. An error has
// what the compiler says.
//
// The interpreters of the stages' stories lie in their tests, which no program can import. So the
// build has an overlay, in which these files have names of package files; no file of the repository
// changes. Another file of the overlay lists the stages, and embeds the source, of which the
// machine shows the lines that act.
func build(top string, stages []string) (program, script []byte, err error) {
	dir, err := os.MkdirTemp("", "watchglass-wasm-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	tree := repo.Open(os.DirFS(top))
	packed, err := source(tree)
	if err != nil {
		return nil, nil, err
	}
	replace := map[string]string{}
	add := func(name string, data []byte) {
		replace[filepath.Join(top, live, name)] = filepath.Join(dir, name)
		if e := os.WriteFile(filepath.Join(dir, name), data, 0o600); e != nil {
			err = e
		}
	}
	add("module.zip", packed)
	add("stages_js.go", list(stages))
	for _, stage := range stages {
		for _, name := range tree.List(stage) {
			if test, ok := strings.CutSuffix(name, "_test.go"); ok && isInside(tree.Read(stage+"/"+name)) {
				at := filepath.Join(top, filepath.FromSlash(stage))
				replace[filepath.Join(at, test+"_played.go")] = filepath.Join(at, name)
			}
		}
	}
	overlay, _ := json.Marshal(map[string]any{"Replace": replace})
	add("overlay.json", overlay)
	if err != nil {
		return nil, nil, err
	}
	if program, err = compile(top, filepath.Join(dir, "overlay.json")); err != nil {
		return nil, nil, err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err == nil {
		lib := filepath.Join(strings.TrimSpace(string(root)), "lib")
		script, err = os.ReadFile(filepath.Join(lib, "wasm", "wasm_exec.js"))
	}
	return program, script, err
}

// compile keeps the program among this user's caches, as Go keeps packages: where it is up to date,
// Go does not link it again, which takes longer than everything else.
func compile(top, overlay string) ([]byte, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	out := filepath.Join(cache, "watchglass", fmt.Sprintf("%x.wasm", sha256.Sum256([]byte(top))))
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w",
		"-overlay", overlay, "-o", out, "./"+live)
	cmd.Dir = top
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the program of the book: %w\n%s", err, said)
	}
	return os.ReadFile(out)
}

// isInside reports whether a test belongs to the package that it tests.
func isInside(text string) bool {
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly)
	return err == nil && !strings.HasSuffix(f.Name.Name, "_test")
}

// list is the file that lists the stages, and has the source.
func list(stages []string) []byte {
	var imports, cases bytes.Buffer
	for i, stage := range stages {
		fmt.Fprintf(&imports, "\ts%d %q\n", i, path.Join(repo.Module, stage))
		fmt.Fprintf(&cases, "\t\t%q: s%d.TestStories,\n", stage, i)
	}
	return fmt.Appendf(nil, "package main\n\nimport (\n\t_ \"embed\"\n\t\"testing\"\n\n%s)\n\n"+
		"//go:embed module.zip\nvar packed []byte\n\n"+
		"func init() {\n\tzipped = packed\n\tstages = map[string]func(*testing.T){\n%s\t}\n}\n",
		&imports, &cases)
}

// source is what the machine shows of the module: Go files without tests, and the stories.
func source(tree *repo.Tree) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range tree.Files(".") {
		of := path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") &&
			(!strings.HasPrefix(name, "docs/") || strings.HasPrefix(name, "docs/tools/tape/"))
		if of || path.Ext(name) == ".template" || path.Ext(name) == ".story" {
			w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate}) // without a time
			if err != nil {
				return nil, err
			}
			_, _ = w.Write([]byte(tree.Read(name))) // into memory
		}
	}
	err := z.Close()
	return b.Bytes(), err
}
