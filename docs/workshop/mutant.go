package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A mutant is a stage that is broken in one place: the finale's exercises are to write the story
// that shows it. It says which lines of which file are replaced by which, so that it breaks the
// stage as it is today, or stops fitting and says so.
type mutant struct {
	name           string // a, b …
	stage, file    string // deltafifo, deltafifo/replace.go
	before, broken string
}

func (w workshop) finaleDir() string { return filepath.Join(w.dir(), "finale") }

// mutants returns all mutants in the order of their names.
func (w workshop) mutants() ([]mutant, error) {
	files, err := filepath.Glob(filepath.Join(w.finaleDir(), "testdata", "*.mutant"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	var all []mutant
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(filepath.Base(file), ".mutant")
		m, err := parseMutant(name, string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, m)
	}
	return all, nil
}

func parseMutant(name, text string) (mutant, error) {
	head, rest, ok := strings.Cut(text, "--- as it is\n")
	before, broken, split := strings.Cut(rest, "\n--- broken\n")
	stage, file, lines := strings.Cut(strings.TrimSpace(head), "\n")
	if !ok || !split || !lines {
		return mutant{}, fmt.Errorf("want stage, file, \"--- as it is\" and \"--- broken\"")
	}
	return mutant{
		name:   name,
		stage:  strings.TrimPrefix(stage, "stage: "),
		file:   strings.TrimPrefix(file, "file: "),
		before: before,
		broken: strings.TrimSuffix(broken, "\n"),
	}, nil
}

// apply returns the source of the stage's file with the mutant in it.
func (m mutant) apply(source string) (string, error) {
	if n := strings.Count(source, m.before); n != 1 {
		return "", fmt.Errorf("mutant %s: what it replaces is %d times in %s, want once",
			m.name, n, m.file)
	}
	return strings.Replace(source, m.before, m.broken, 1), nil
}
