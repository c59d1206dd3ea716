package keys

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"example.com/watchglass/docs/workshop/exercise"
)

//go:embed keys.go
var source string

func TestKey(t *testing.T) {
	exercise.Start(t, "keys.go", source)
	for _, c := range []struct {
		law, why, namespace, name, want string
		fails                           bool
	}{
		{"a namespaced object is namespace/name", "two namespaces may hold objects of one name",
			"default", "web-1", "default/web-1", false},
		{"a cluster-scoped object is its name",
			"a Node has no namespace, and a slash in front would be a second key for it",
			"", "node-1", "node-1", false},
		{"a name is taken as it is",
			"names of some kinds have capitals and colons, and two of them must not share a key",
			"kube-system", "system:Admin", "kube-system/system:Admin", false},
		{"an object without a name has no key",
			"all of them would share one key, and overwrite each other in the cache",
			"default", "", "", true},
		{"nor has one that has no namespace either", "it may be an object of your own, half filled in",
			"", "", "", true},
	} {
		t.Run(c.law, func(t *testing.T) {
			got, err := Key(c.namespace, c.name)
			if (err != nil) != c.fails || got != c.want {
				t.Errorf("%s.\nKey(%q, %q) = %q, %v; want %q, error: %t",
					c.why, c.namespace, c.name, got, err, c.want, c.fails)
			}
		})
	}
}

func TestSplit(t *testing.T) {
	exercise.Start(t, "keys.go", source)
	for _, c := range []struct {
		law, why, key, namespace, name string
		fails                          bool
	}{
		{"namespace and name come back", "a worker gets a key from the queue and has to read the object",
			"default/web-1", "default", "web-1", false},
		{"a key without a slash is a name", "it is the key of a cluster-scoped object",
			"node-1", "", "node-1", false},
		{"two slashes are an error",
			"cut at the first one the name would have a slash in it, which no name has",
			"a/b/c", "", "", true},
		{"a key that ends with the slash is an error", "there is no object without a name",
			"default/", "", "", true},
		{"a key that begins with the slash is an error",
			"Key writes no slash without a namespace, so the object would have two keys",
			"/web-1", "", "", true},
		{"an empty key is an error", "there is no object without a name",
			"", "", "", true},
	} {
		t.Run(c.law, func(t *testing.T) {
			namespace, name, err := Split(c.key)
			if (err != nil) != c.fails || namespace != c.namespace || name != c.name {
				t.Errorf("%s.\nSplit(%q) = %q, %q, %v; want %q, %q, error: %t",
					c.why, c.key, namespace, name, err, c.namespace, c.name, c.fails)
			}
		})
	}
	t.Run("the error names the key", func(t *testing.T) {
		for _, key := range []string{"a/b/c", "default/", "/web-1"} {
			if _, _, err := Split(key); err == nil || !strings.Contains(err.Error(), key) {
				t.Errorf("without the key, a line in the log does not lead to the caller that made it.\n"+
					"got the error %v, want one with %s in it", err, key)
			}
		}
	})
}

// A key grows piece by piece. The model is a regular expression; what it splits, Key puts together
// again.
func TestAnyKey(t *testing.T) {
	exercise.Start(t, "keys.go", source)
	form := regexp.MustCompile(`^(?:([^/]+)/)?([^/]+)$`)
	exercise.Compare(t, "Split takes apart what Key makes, character by character, and nothing else",
		func(dice *rand.Rand) string {
			return []string{"/", "a", "B:", ".", " "}[dice.IntN(5)]
		}, func(pieces []string) (rows []exercise.Row) {
			for i := range pieces {
				key := strings.Join(pieces[:i+1], "")
				namespace, name, err := Split(key)
				row := exercise.Row{Step: fmt.Sprintf("%q", key), Want: `"", "", error: true`}
				row.Got = fmt.Sprintf("%q, %q, error: %t", namespace, name, err != nil)
				if parts := form.FindStringSubmatch(key); parts != nil {
					back, err := Key(parts[1], parts[2])
					row.Got += fmt.Sprintf("; Key: %q, error: %t", back, err != nil)
					row.Want = fmt.Sprintf("%q, %q, error: false; Key: %q, error: false", parts[1], parts[2], key)
				}
				rows = append(rows, row)
			}
			return rows
		})
}
