package repo

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAPatchFitsInOnePlace(t *testing.T) {
	p, err := parsePatch("A\nstage: indexer\nfile: indexer/index.go\n" +
		"--- instead of\n\tdelete(m, k)\n--- write\n\t_ = k\n--- instead of\n}\n--- write\n--- story\n" +
		"# Why.\n")
	require.NoError(t, err)
	assert.Equal(t, "# Why.\n", p.Story)
	broken, err := p.Apply("{\n\tdelete(m, k)\n\t}\n}\n")
	require.NoError(t, err)
	assert.Equal(t, "{\n\t_ = k\n\t}\n", broken, "whole lines are replaced")
	p.Edits = []Edit{{Old: "a\n…\nb\nc\n", New: "d\n"}}
	broken, err = p.Apply("1\na\nb\n2\nb\nc\nb\nc\n")
	require.NoError(t, err)
	assert.Equal(t, "1\nd\nb\nc\n", broken, "a gap is as short as it can be")
	_, err = p.Apply("a\nb\n")
	assert.ErrorContains(t, err, `want these lines below "a\n": "b\nc\n"`)
	p.Edits = []Edit{{Old: "\tdelete(m, k)\n"}, {Old: "}\n"}}
	for _, source := range []string{"{\n}\n", "\tdelete(m, k)\n\tdelete(m, k)\n}\n"} {
		_, err = p.Apply(source)
		assert.ErrorContains(t, err, "want these lines once", "code that has moved on is reported")
	}
	for _, text := range []string{"A\nstage: indexer\n", "A\n--- instead of\nx\n"} {
		_, err = parsePatch(text)
		assert.Error(t, err, text)
	}
}
