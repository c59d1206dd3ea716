package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A mutant is code that is broken in one or a few places. In the finale it is a stage, and the
// exercise is to write the story that shows it. In the other exercises it is a wrong answer: their
// solution with a plausible mistake. A mutant says which lines are replaced by which, so that it
// breaks the code as it is today, or stops fitting and says so.
type mutant struct {
	name  string
	about map[string]string // stage and file; or fails, which is a law, and why
	edits []edit
}

// An edit replaces lines that are there once.
type edit struct{ asItIs, broken string }

// readMutants reads a file of mutants. Each begins with "## " and its name, lines of "key: value",
// and then has edits: "--- as it is", the lines, "--- broken", the lines in their place.
func readMutants(file string) (all []mutant, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for _, section := range strings.Split("\n"+string(text), "\n## ")[1:] {
		m, err := parseMutant(strings.TrimRight(section, "\n") + "\n")
		if err != nil {
			return nil, fmt.Errorf("%s: mutant %s: %w", file, m.name, err)
		}
		all = append(all, m)
	}
	return all, nil
}

func parseMutant(section string) (mutant, error) {
	parts := strings.Split(section, "--- as it is\n")
	head := strings.Split(strings.TrimSpace(parts[0]), "\n")
	m := mutant{name: head[0], about: map[string]string{}}
	for _, line := range head[1:] {
		key, value, _ := strings.Cut(line, ": ")
		m.about[key] = value
	}
	for _, part := range parts[1:] {
		asItIs, broken, ok := strings.Cut(part, "--- broken\n")
		if !ok || asItIs == "" {
			return m, errors.New(`want lines and "--- broken" below "--- as it is"`)
		}
		m.edits = append(m.edits, edit{asItIs, broken})
	}
	if len(m.edits) == 0 {
		return m, errors.New(`there is no "--- as it is"`)
	}
	return m, nil
}

// apply returns the source of a file with the mutant in it.
func (m mutant) apply(source string) (string, error) {
	source = "\n" + source
	for _, e := range m.edits {
		at := strings.Index(source, "\n"+e.asItIs)
		if at < 0 || strings.Contains(source[at+1:], "\n"+e.asItIs) {
			return "", fmt.Errorf("mutant %s: want these lines once: %q", m.name, e.asItIs)
		}
		source = strings.Replace(source, "\n"+e.asItIs, "\n"+e.broken, 1)
	}
	return source[1:], nil
}

// applyTo returns the text of a file with the mutant in it.
func (m mutant) applyTo(file string) (string, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	broken, err := m.apply(string(source))
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	return broken, nil
}

// overlay makes a file for go test -overlay that lays texts over files. The caller removes dir,
// also after an error.
func overlay(texts map[string]string) (dir, file string, err error) {
	if dir, err = os.MkdirTemp("", "workshop"); err != nil {
		return "", "", err
	}
	replace := map[string]string{}
	for i, name := range slices.Sorted(maps.Keys(texts)) {
		replace[name] = filepath.Join(dir, fmt.Sprintf("%d.go", i))
		err = errors.Join(err, os.WriteFile(replace[name], []byte(texts[name]), 0o600))
	}
	text, _ := json.Marshal(map[string]any{"Replace": replace}) // strings can't fail
	file = filepath.Join(dir, "overlay.json")
	return dir, file, errors.Join(err, os.WriteFile(file, text, 0o600))
}
