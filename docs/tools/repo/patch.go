package repo

import (
	"errors"
	"fmt"
	"strings"
)

// A Patch says which lines of a file are replaced by which. It fits the file as it is today, or
// says that it does not: so answers to exercises, mutants of stages and changes to try stay in step
// with the code.
type Patch struct {
	Name  string
	About map[string]string // what it is for, and what comes of it
	Edits []Edit
	Story string // exposes a mutant
}

// An Edit replaces lines that are there once. In Old, a line with … stands for all lines up to
// those that follow it.
type Edit struct{ Old, New string }

// Patches reads patches. Each begins with "## " and its name, then has lines of "key: value", and
// then edits: "--- instead of", the lines, "--- write", the lines in their place. The story of a
// mutant stands below "--- story".
func Patches(text string) (all []Patch, err error) {
	for _, section := range strings.Split("\n"+text, "\n## ")[1:] {
		p, err := parsePatch(strings.TrimRight(section, "\n") + "\n")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		all = append(all, p)
	}
	return all, nil
}

// parsePatch reads one patch, without "## ".
func parsePatch(section string) (Patch, error) {
	section, story, _ := strings.Cut(section, "--- story\n")
	parts := strings.Split(section, "--- instead of\n")
	head := strings.Split(strings.TrimSpace(parts[0]), "\n")
	p := Patch{Name: head[0], About: map[string]string{}, Story: story}
	for _, line := range head[1:] {
		key, value, _ := strings.Cut(line, ": ")
		p.About[key] = value
	}
	for _, part := range parts[1:] {
		before, after, ok := strings.Cut(part, "--- write\n")
		if !ok || before == "" {
			return p, errors.New(`want lines and "--- write" below "--- instead of"`)
		}
		p.Edits = append(p.Edits, Edit{before, after})
	}
	if len(p.Edits) == 0 {
		return p, errors.New(`there is no "--- instead of"`)
	}
	return p, nil
}

// Apply returns the source of a file with all edits made.
func (p Patch) Apply(source string) (string, error) {
	source = "\n" + source
	for _, e := range p.Edits {
		first, last, _ := strings.Cut(e.Old, "…\n")
		at := strings.Index(source, "\n"+first)
		if at < 0 || at != strings.LastIndex(source, "\n"+first) {
			return "", fmt.Errorf("%s: want these lines once: %q", p.Name, first)
		}
		end := at + len(first) // of the lines, without the newline at their end
		if last != "" {
			more := strings.Index(source[end:], "\n"+last)
			if more < 0 {
				return "", fmt.Errorf("%s: want these lines below %q: %q", p.Name, first, last)
			}
			end += more + len(last)
		}
		source = source[:at] + "\n" + e.New + source[end+1:]
	}
	return source[1:], nil
}
