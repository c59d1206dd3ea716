package story

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// make story is how readers write a story of their own.
func TestMakeStory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.story")
	out, err := makeStory("indexer", path, "GO=echo") // what it does before it plays the story
	require.NoError(t, err, out)
	template := read(t, filepath.Join("..", "..", "indexer", "testdata", "story.template"))
	assert.Equal(t, template, read(t, path), "the story begins as a copy of the template")
	assert.Contains(t, out, "Your story is "+path)

	require.NoError(t, os.WriteFile(path, []byte("# Mine.\nadd web-1@1\n\nreplant web-1@2\n"), 0o644))
	out, err = makeStory("indexer", path)
	assert.Error(t, err, "the story is wrong")
	assert.Contains(t, out, "    Mine.\n    ▸ add web-1@1\n        added web-1@1\n        items\n",
		"it is played up to the mistake, and each state is shown")
	assert.Contains(t, out, path+":4: replant web-1@2: no such command")
	assert.True(t, strings.HasPrefix(read(t, path), "# Mine."), "the file is not made again")

	out, err = makeStory("cellar", path)
	assert.Error(t, err)
	assert.Contains(t, out, "No template in cellar. STAGE is one of: deltafifo")
}

func makeStory(stage, path string, variables ...string) (string, error) {
	cmd := exec.Command("make", slices.Concat(
		[]string{"story", "STAGE=" + stage, "STORY=" + path}, variables)...)
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "MAKE") || strings.HasPrefix(v, "MFLAGS") // no make in make
	})
	out, err := cmd.CombinedOutput()
	return string(out), err
}
