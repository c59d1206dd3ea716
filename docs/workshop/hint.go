package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A hint is one of the folded ones in a README.
type hint struct {
	title string // 1 · Where to look; in the finale the letter of the mutant
	text  string
}

var folded = regexp.MustCompile(
	`(?s)<details><summary>(\d · [^<]+|[A-Z])</summary>\n(.*?)\n</details>`)

// hints returns the hints of a README, in their order. The folded answer to the question of
// "Predict" has neither number nor letter, so it is not one of them.
func hints(readme string) (all []hint) {
	for _, match := range folded.FindAllStringSubmatch(readme, -1) {
		all = append(all, hint{match[1], strings.TrimSpace(match[2])})
	}
	return all
}

// hint prints the next hint of an exercise. After the last one it begins again. A mutant of the
// finale has one hint.
func (w workshop) hint(called string) error {
	if len(called) == 1 && strings.ToUpper(called) >= "A" {
		return w.hintOfMutant(called)
	}
	t, err := w.find(called)
	if err != nil {
		return err
	}
	readme, err := readText(filepath.Join(t.dir, "README.md"))
	if err != nil {
		return err
	}
	all := hints(readme)
	if len(all) == 0 {
		return fmt.Errorf("exercise %s has no hints", t.id)
	}
	next := w.next(t, len(all))
	title := fmt.Sprintf("%s %s, hint %s (of %d)", t.id, t.name, all[next].title, len(all))
	w.printHint(title, all[next])
	if next == len(all)-1 {
		fmt.Fprintln(w.out, "\n  This was the last one; the next call begins again.")
	}
	return nil
}

func (w workshop) hintOfMutant(called string) error {
	m, err := w.mutant(called)
	if err != nil {
		return err
	}
	readme, err := readText(filepath.Join(w.finaleDir(), "README.md"))
	all := hints(readme)
	i := slices.IndexFunc(all, func(h hint) bool { return h.title == m.Name })
	if err == nil && i < 0 {
		err = fmt.Errorf("mutant %s has no hint", m.Name)
	}
	if err == nil {
		w.printHint(m.Name+" "+m.About["stage"]+", the only hint", all[i])
	}
	return err
}

// printHint wraps paragraphs to the width of the terminal. Code keeps its lines.
func (w workshop) printHint(title string, h hint) {
	fmt.Fprintf(w.out, "  %s\n\n", title)
	for i, paragraph := range strings.Split(h.text, "\n\n") {
		if i > 0 {
			fmt.Fprintln(w.out)
		}
		if !strings.HasPrefix(paragraph, "```") {
			paragraph = strings.Join(strings.Fields(paragraph), " ")
		}
		for line := range strings.SplitSeq(paragraph, "\n") {
			w.print("   ", line)
		}
	}
}

// next returns which of the hints of an exercise is to be given now, counted from 0.
func (w workshop) next(t task, hints int) int {
	text, _ := os.ReadFile(w.memory(t.id))
	given, _ := strconv.Atoi(string(text))
	next := max(given, 0) % hints
	w.remember(t.id, strconv.Itoa(next+1))
	return next
}

// memory returns the file in which something is remembered: in the user's cache directory, for each
// checkout, because two learners may share a machine.
func (w workshop) memory(of string) string {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	checkout := fmt.Sprintf("%x", sha256.Sum256([]byte(w.root)))[:12]
	return filepath.Join(cache, "watchglass-workshop", checkout, of)
}

// remember writes what memory reads. Where that fails, nothing is remembered: each call for a hint
// gives the first.
func (w workshop) remember(of, text string) {
	file := w.memory(of)
	if os.MkdirAll(filepath.Dir(file), 0o755) == nil {
		_ = os.WriteFile(file, []byte(text), 0o644)
	}
}
