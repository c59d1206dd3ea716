package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// checkMutants finds mutants that no longer fit their stage, and solutions that do not expose them.
// It prints a line for each mutant.
func (c *checker) checkMutants(ctx context.Context) error {
	all, err := c.mutants()
	if err != nil {
		return err
	}
	readme, err := os.ReadFile(filepath.Join(c.finaleDir(), "README.md"))
	if err != nil {
		return err
	}
	var broken []error
	for _, m := range all {
		title := fmt.Sprintf("\n### %s · `%s`\n", m.name, m.about["stage"])
		err := c.checkMutant(ctx, m)
		if !strings.Contains(string(readme), title) {
			err = errors.Join(err, fmt.Errorf("the README has no report %q", strings.TrimSpace(title)))
		}
		hasHint := func(h hint) bool { return h.title == m.name }
		if !slices.ContainsFunc(hints(string(readme)), hasHint) {
			err = errors.Join(err, errors.New("the README has no hint"))
		}
		if err != nil {
			fmt.Fprintf(c.out, "  ✘ %s %v\n", m.name, err)
			broken = append(broken, fmt.Errorf("mutant %s: %w", m.name, err))
			continue
		}
		fmt.Fprintf(c.out, "  ✔ %s %-10s the solution holds on the stage, and exposes the mutant\n",
			m.name, m.about["stage"])
	}
	return errors.Join(broken...)
}

func (c *checker) checkMutant(ctx context.Context, m mutant) error {
	play := "compare:" + filepath.Join(c.finaleDir(), "testdata", strings.ToLower(m.name)+".solution")
	held, out, err := c.playStory(ctx, m.about["stage"], play)
	if err != nil {
		return err
	}
	if !held {
		return fmt.Errorf("the solution does not hold on the stage as it is:\n%s", out)
	}
	held, _, err = c.playBroken(ctx, m, play)
	if err == nil && held {
		return errors.New("the solution does not expose it")
	}
	return err
}
