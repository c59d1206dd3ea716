package verify

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

var programRules = []rule{
	{
		name:    "programs compile as they stand",
		promise: "a block under <!-- program: … --> can be saved as main.go in this module and run.",
		remedy:  "adapt the block to the code; the finding has what go vet says about it.",
		check:   checkPrograms,
	},
}

func checkPrograms(t *tree) (found []finding) {
	t.eachBlock(func(p *page, b block) {
		if b.marker.kind != "program" {
			return
		}
		if err := t.vet(strings.Join(b.lines, "\n")); err != nil {
			found = append(found, finding{p.path, b.first, err.Error()})
		}
	})
	return found
}

// vetIn returns a function that vets a program as if its file were in the module in dir.
func vetIn(dir string) func(program string) error {
	return func(program string) error {
		temp, err := os.MkdirTemp("", "program")
		if err != nil {
			return err
		}
		main := filepath.Join(temp, "main.go")
		err = os.WriteFile(main, []byte(program), 0o600)
		if err == nil {
			_, err = runIn(dir)("go vet " + main)
		}
		if err != nil {
			err = fmt.Errorf("the program does not compile: %w", err)
		}
		return errors.Join(err, os.RemoveAll(temp))
	}
}
