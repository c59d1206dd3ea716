package verify

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A bite is a test of one rule: a small repository that keeps or breaks it, and what the rule must
// find there.
type bite struct {
	rule  string
	law   string
	files map[string]string // changes to goodRepo; "" removes a file
	want  []string          // the findings; none if the law says that something is allowed
}

// goodRepo is a repository that keeps every rule. Each bite changes it in one place.
func goodRepo() map[string]string {
	return map[string]string{
		"go.mod": "module example.com/watchglass\n\ngo 1.26\n\n" +
			"require github.com/stretchr/testify v1.12.1\n\n" +
			"require go.yaml.in/yaml/v3 v3.0.5 // indirect\n",
		"doc.go": "// Package watchglass is the vocabulary.\npackage watchglass\n",
		"deltafifo/doc.go": "// Package deltafifo is a queue.\npackage deltafifo\n\n" +
			"import \"example.com/watchglass\"\n\nvar _ watchglass.Object\n",
		"deltafifo/pop.go": popSource,
		"deltafifo/testdata/pop_takes_the_oldest_key.story": "known web-1\n\n" +
			"# The key comes out.\npop\n----\nqueue []\n",
		"README.md": "# Watchglass\n\nRead [the queue](deltafifo/pop.go), which has `deltafifo.Pop`.\n",
	}
}

// popSource has a declaration of each kind that can be quoted and named.
const popSource = `package deltafifo

import "errors"

// ErrClosed and ErrEmpty end a Pop.
var (
	ErrClosed = errors.New("closed")
	ErrEmpty  = errors.New("empty")
)

// Queue is a queue of T.
type Queue[T any] struct {
	base
	keys []string // in order
}

type base struct{ closed bool }

// Pop takes a key.
// It waits for one.
func (q *Queue[T]) Pop() (string, error) {
	if q.closed {
		return "", ErrClosed
	}
	key := q.keys[0]
	q.keys = q.keys[1:]
	return key, nil
}

// Pop is a function of the same name.
func Pop() {}
`

func repoWith(t *testing.T, changes map[string]string) *tree {
	files := goodRepo()
	maps.Copy(files, changes)
	fsys := fstest.MapFS{}
	for name, text := range files {
		if text != "" {
			fsys[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	repo, err := readTree(fsys, outside{
		run: func(command string) (string, error) {
			if command != "make help" {
				return "", errors.New("cannot run " + command)
			}
			return "make help\nmake test\n", nil
		},
		vet: func(program string) error {
			if strings.Contains(program, "{ x }") {
				return errors.New("undefined: x")
			}
			return nil
		},
		diagrams: map[string]func() string{"reflector": func() string { return "a --> b\n" }},
		inBubble: bubblesOf(t),
	})
	require.NoError(t, err)
	return repo
}

func TestAGoodRepositoryKeepsEveryRule(t *testing.T) {
	repo := repoWith(t, goodPages())
	for _, r := range allRules() {
		assert.Empty(t, r.check(repo), r.name)
	}
}

func TestEveryRuleBites(t *testing.T) {
	bitten := map[string]bool{}
	for _, b := range slices.Concat(quoteBites, curlBites, pageBites, programBites, readingBites,
		chapterBites, dictionaryBites, facilitatorBites, testNameBites,
		importBites, shapeBites, mannerBites, completeBites) {
		rules := allRules()
		i := slices.IndexFunc(rules, func(r rule) bool { return r.name == b.rule })
		require.GreaterOrEqual(t, i, 0, "there is no rule %q", b.rule)
		var got []string
		for _, f := range rules[i].check(repoWith(t, b.files)) {
			got = append(got, f.String())
		}
		assert.Equal(t, b.want, got, "%s: %s", b.rule, b.law)
		bitten[b.rule] = bitten[b.rule] || len(b.want) > 0
	}
	for _, r := range allRules() {
		assert.True(t, bitten[r.name], "no law shows that the rule %q finds anything", r.name)
		assert.NotEmpty(t, r.promise, r.name)
		assert.NotEmpty(t, r.remedy, r.name)
	}
}
