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

// make story is how readers write a story of their own. To be quick, this test lets make run the
// binary that it is part of, instead of building the tests of the stage.
func TestMakeStory(t *testing.T) {
	binary, err := os.Executable()
	require.NoError(t, err)
	fakeGo := filepath.Join(t.TempDir(), "go")
	require.NoError(t, os.WriteFile(fakeGo, []byte("#!/bin/sh\necho go \"$@\"\n"+
		"exec '"+binary+"' -test.v -test.run '^TestStories$'\n"), 0o755))
	path := filepath.Join(t.TempDir(), "mine.story")

	out, err := makeStory("indexer", path, fakeGo)
	template := read(t, filepath.Join("..", "..", "..", "indexer", "testdata", "story.template"))
	assert.Equal(t, template, read(t, path), "the story begins as a copy of the template")
	assert.Contains(t, out, "Your story is "+path)
	assert.Contains(t, out, "go test -v -count=1 -run ^TestStories$ ./indexer\n")
	assert.Error(t, err, "the machine of this package has no command of the template")

	require.NoError(t, os.WriteFile(path, []byte("# Mine.\nremember a\n\ndream of b\n"), 0o644))
	out, err = makeStory("indexer", path, fakeGo)
	assert.Error(t, err, "the story is wrong")
	assert.Contains(t, out, "    Mine.\n    ▸ remember a\n        remembers 1\n          a\n",
		"the story is played up to the mistake, and each state is shown")
	assert.Contains(t, out, path+":4: dream of b: no such command")
	assert.True(t, strings.HasPrefix(read(t, path), "# Mine."), "a file that exists is left as it is")

	out, err = makeStory("cellar", path, fakeGo)
	assert.Error(t, err)
	assert.Contains(t, out, "No template in cellar. STAGE is one of: deltafifo")
}

func makeStory(stage, path, goCommand string) (string, error) {
	cmd := exec.Command("make", "story", "STAGE="+stage, "STORY="+path, "GO="+goCommand)
	cmd.Dir = filepath.Join("..", "..", "..")
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "MAKE") || strings.HasPrefix(v, "MFLAGS") // of a make test
	})
	out, err := cmd.CombinedOutput()
	return string(out), err
}
