package bench

import (
	"go/format"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/repo"
)

func tree(t *testing.T) *repo.Tree {
	top, err := repo.Root()
	require.NoError(t, err)
	return repo.Open(os.DirFS(top))
}

func TestAGoWithoutTheSourceOfItsCompilerHasNoWorkbench(t *testing.T) {
	require.NoError(t, Possible())
	empty := t.TempDir()
	t.Setenv("GOROOT", empty)
	err := Possible()
	require.ErrorContains(t, err, "there is no workbench: it needs the source of Go's compiler")
	assert.ErrorContains(t, err, empty)
	_, err = Build(empty)
	assert.Error(t, err, "nothing is built")
}

func TestAPlanHasThePackageWithItsTests(t *testing.T) {
	p := planOf(tree(t), "docs/workshop/5_1_ring")
	const dir = "docs/workshop/5_1_ring/"
	assert.Equal(t, []string{dir + "ring.go", dir + "ring_test.go"}, p.Compile)
	assert.Len(t, p.Files, 2, "the answers are not among them")
	assert.JSONEq(t, `{"Patterns": {"ring.go": ["ring.go"]}, "Files": {"ring.go": "`+dir+`ring.go"}}`,
		p.Embed, "the laws embed the source")
	assert.Contains(t, p.Main, `{"TestAnyWritesAndReads", tested.TestAnyWritesAndReads},`)
}

func TestAStageTellsItsStoriesFirst(t *testing.T) {
	p := planOf(tree(t), "deltafifo")
	_, laws, _ := strings.Cut(p.Main, "[]testing.InternalTest{\n")
	assert.Equal(t, `{"TestStories", tested.TestStories},`, strings.TrimSpace(laws[:strings.Index(laws, "\n")]))
	assert.Contains(t, p.Main, `{Name: "FuzzRealFIFODoesWhatItsModelSays", Fn: tested.FuzzRealFIFODoesWhatItsModelSays},`)
	assert.Contains(t, p.Files, "deltafifo/testdata/03_relist_finds_deletions.story")
	assert.NotContains(t, p.Files, "deltafifo/example_test.go", "it is another package")
}

func TestEachChapterHasThreeChangesThatFitTheCode(t *testing.T) {
	trials, err := Trials()
	require.NoError(t, err)
	perChapter := map[string]int{}
	for _, trial := range trials {
		perChapter[trial.Chapter]++
		before, after, err := trial.Apply(tree(t))
		require.NoError(t, err, trial.Title)
		assert.NotEqual(t, before, after)
		_, err = format.Source([]byte(after))
		require.NoError(t, err, trial.Title)
		assert.NotEmpty(t, trial.Breaks)
		assert.Regexp(t, `What if .*\?$`, trial.Ask)
	}
	for chapter, n := range perChapter {
		assert.Equal(t, 3, n, chapter)
		assert.True(t, tree(t).Has(chapter), chapter)
	}
	assert.Len(t, perChapter, 7, "all chapters about the machine")
}

func TestEachExerciseHasItsSolutionInThePlanAndEachMutantItsFile(t *testing.T) {
	for _, dir := range Exercises(tree(t)) {
		p := planOf(tree(t), dir)
		assert.NotContains(t, p.Solution, "TODO", dir)
		assert.Contains(t, p.Files, StubOf(dir))
	}
	broken, err := brokenStages(tree(t))
	require.NoError(t, err)
	assert.Len(t, broken, 8)
}

func TestGeneratedAndEmbeddedGoIsFormatted(t *testing.T) {
	for _, text := range []string{assertions, planOf(tree(t), "deltafifo").Main} {
		formatted, err := format.Source([]byte(text))
		require.NoError(t, err)
		assert.Equal(t, string(formatted), text)
	}
}

func TestTheStandInHasEachAssertionThatTheTestsOfTheStagesUse(t *testing.T) {
	used := regexp.MustCompile(`\b(?:assert|require)\.([A-Z]\w+)\(`)
	for _, dir := range append(Exercises(tree(t)), Stages...) {
		for name, text := range planOf(tree(t), dir).Files {
			for _, m := range used.FindAllStringSubmatch(text, -1) {
				assert.Contains(t, assertions, "\nfunc "+m[1]+"(t TestingT, ", name)
			}
		}
	}
}

func TestOfAllPackagesThoseAreTakenThatTestsAreLinkedWith(t *testing.T) {
	names, exports, err := needs([]byte(`
{"ImportPath": "io", "Export": "/io.a", "Deps": ["unsafe"]}
{"ImportPath": "unsafe"}
{"ImportPath": "net/http", "Export": "/http.a"}
{"ImportPath": "example.com/watchglass/a", "Export": "/a.a", "Deps": ["io"]}
{"ImportPath": "fmt", "Export": "/fmt.a", "Deps": ["io"]}
{"ImportPath": "example.com/watchglass/a [example.com/watchglass/a.test]", "Export": "/at.a", "Deps": ["fmt", "io"]}
{"ImportPath": "example.com/watchglass/a.test", "Export": "/at.a", "Deps": ["net/http"]}
`), []string{"example.com/watchglass/a [example.com/watchglass/a.test]", "io"})
	require.NoError(t, err)
	assert.Equal(t, []string{"fmt", "io"}, names)
	assert.Equal(t, "/fmt.a", exports["fmt"])
}
