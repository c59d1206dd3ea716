package story

import (
	"os"
	"strings"
	"testing"
)

// Laws returns the rows of a section of testdata/laws.txt, which begins with "-- section --". A row
// is a line, and bars separate its cells. Lines that begin with # are comments. A section without
// rows fails the test: nothing would be tested.
func Laws(t testing.TB, section string) (rows [][]string) {
	t.Helper()
	text, err := os.ReadFile("testdata/laws.txt")
	if err != nil {
		t.Fatal(err)
	}
	unix := strings.ReplaceAll(string(text), "\r\n", "\n") // a clone may have the line ends of Windows
	_, rest, _ := strings.Cut(unix, "-- "+section+" --\n")
	rest, _, _ = strings.Cut(rest, "\n-- ")
	for line := range strings.Lines(rest) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && line[0] != '#' {
			rows = append(rows, strings.Split(line, " | "))
		}
	}
	if rows == nil {
		t.Fatalf("testdata/laws.txt has no rows in section %q", section)
	}
	return rows
}
