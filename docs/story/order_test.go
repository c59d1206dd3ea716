package story

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A reader of a package meets its stories first, so go test -v must show them before all else. It
// runs the tests of the package itself before those of its _test package, and both by file name.
func TestStoriesAreShownFirst(t *testing.T) {
	for _, dir := range withStories(t) {
		assert.Equal(t, "TestStories", firstTest(t, dir), "the first test of %s", dir)
	}
}

// The numbers are the order in which to read the stories. If there are ten or more, each number has
// two digits, because files are played in the order of their names.
func TestStoriesAreNumbered(t *testing.T) {
	for _, dir := range withStories(t) {
		stories := storiesOf(t, dir)
		width := len(strconv.Itoa(len(stories)))
		for i, path := range stories {
			assert.True(t, strings.HasPrefix(filepath.Base(path), fmt.Sprintf("%0*d_", width, i+1)),
				"%s is story %d of %d", path, i+1, len(stories))
		}
	}
}

func TestAStoryBeginsWithASentence(t *testing.T) {
	for _, dir := range withStories(t) {
		for _, path := range storiesOf(t, dir) {
			steps, err := Parse(read(t, path))
			require.NoError(t, err, path)
			assert.NotEmpty(t, steps[0].Prose, "%s:%d: a sentence above the first command says what "+
				"the story is about", path, steps[0].Line)
		}
	}
}

// A reader's own story begins as a copy of the template, so the template must list every command of
// the stage.
func TestATemplateListsTheCommands(t *testing.T) {
	for _, dir := range withStories(t) {
		if filepath.Base(dir) == "story" {
			continue // the machines of this package are not a stage
		}
		path := filepath.Join(dir, "testdata", "story.template")
		listed := strings.FieldsFunc(comments(read(t, path)), func(r rune) bool {
			return r != '-' && (r < 'a' || r > 'z')
		})
		for _, name := range storiesOf(t, dir) {
			steps, err := Parse(read(t, name))
			require.NoError(t, err, name)
			for _, step := range steps {
				assert.Contains(t, listed, step.Command.Name, "%s must list the command of %s:%d",
					path, name, step.Line)
			}
		}
	}
}

func storiesOf(t *testing.T, dir string) []string {
	stories, err := filepath.Glob(filepath.Join(dir, "testdata", "*.story"))
	require.NoError(t, err)
	return stories
}

// withStories returns the folders of the repository with stories in their testdata.
func withStories(t *testing.T) (dirs []string) {
	for _, deep := range []string{"*", "*/*"} {
		stories, err := filepath.Glob(filepath.Join("..", "..", deep, "testdata", "*.story"))
		require.NoError(t, err)
		for _, name := range stories {
			dirs = append(dirs, filepath.Dir(filepath.Dir(name)))
		}
	}
	dirs = slices.Compact(dirs)
	require.Greater(t, len(dirs), 8, "the stages have stories")
	return dirs
}

func firstTest(t *testing.T, dir string) string {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	require.NoError(t, err)
	var inside, outside []string
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		if tests := testsOf(f); strings.HasSuffix(f.Name.Name, "_test") {
			outside = append(outside, tests...)
		} else {
			inside = append(inside, tests...)
		}
	}
	return append(append(inside, outside...), "none")[0]
}

func testsOf(f *ast.File) (names []string) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil &&
			strings.HasPrefix(fn.Name.Name, "Test") && fn.Name.Name != "TestMain" {
			names = append(names, fn.Name.Name)
		}
	}
	return names
}

func comments(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "//") {
			b.WriteString(line)
		}
	}
	return b.String()
}
