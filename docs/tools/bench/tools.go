package bench

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"example.com/watchglass/docs/run/live/static"
)

// Possible returns an error that says why no workbench can be made with this Go, nil if one can.
func Possible() error {
	root, err := goroot()
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(root, "src", "cmd", "compile", "main.go")); err != nil {
		return fmt.Errorf("there is no workbench: it needs the source of Go's compiler, and this "+
			"installation of Go has no %s", filepath.Join(root, "src", "cmd", "compile"))
	}
	return nil
}

func goroot() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(out)), err
}

// packed are the programs of the workbench, by the names of their files, with what go build builds.
// The judge says of the output of tests what the workshop in a terminal says.
var packed = map[string][]string{
	"compile.wasm.gz": {"cmd/compile"},
	"link.wasm.gz":    {"cmd/link"},
	"judge.wasm.gz": {
		"docs/workshop/judge_js.go", "docs/workshop/stage_js.go", "docs/workshop/verdict.go",
	},
}

// tools returns the programs, the script that starts them, which is Go's own, and Go's license.
func tools(top string) (map[string][]byte, error) {
	root, err := goroot()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	script, err := os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js"))
	license, noLicense := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err = errors.Join(err, noLicense); err != nil {
		return nil, fmt.Errorf("read what lies beside the programs of the workbench: %w", err)
	}
	files["wasm_exec.js"], files["LICENSE-Go.txt"] = script, license
	var mu sync.Mutex // guards files and err
	var building sync.WaitGroup
	for name, of := range packed {
		building.Go(func() {
			code, failed := tool(top, strings.TrimSuffix(name, ".gz"), of)
			mu.Lock()
			defer mu.Unlock()
			files[name], err = static.Packed(code), errors.Join(err, failed)
		})
	}
	building.Wait()
	return files, err
}

// tool builds one program for a browser. It stays among this user's caches: where it is up to date,
// Go does not link it again.
func tool(top, name string, of []string) ([]byte, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	out := filepath.Join(cache, "watchglass", name)
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", out}
	if _, err := forBrowser(top, append(args, of...)...); err != nil {
		return nil, fmt.Errorf("build %s of the workbench: %w", name, err)
	}
	return os.ReadFile(out)
}

// forBrowser runs go in the folder top, with a browser as its target, and returns what it prints.
// An error has what the compiler says.
func forBrowser(top string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = top
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=", "GOWORK=off")
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, said.String())
	}
	return out, nil
}
