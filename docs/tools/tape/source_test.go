package tape

import (
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/words"
)

// What a stage calls in this program, other than a trace: a handler, the valve's Pop or Read, and
// the way to the server.
var calledHere = regexp.MustCompile(`\b(Pop|PopBatch|Read|Close|Do|OnAdd|OnUpdate|OnDelete)\(`)

// A trace is called by its name, or by another name of the server's, the queue's or the processor's.
var traceCall = regexp.MustCompile(`\b([tT]race\.\w+|committed|onSynced|onPanic)\(`)

// made is a kind of event, in one lane; handlers are all alike.
func made(e Event) string {
	lane, _, _ := strings.Cut(e.Lane, ":")
	return lane + " " + e.Kind
}

// knowTheirLines checks that each event knows the line that acted, in the source as it is now, and the
// line that reported it. One event of a kind is enough.
func (s *sights) knowTheirLines(t *testing.T, events []*Event) {
	for _, e := range events {
		if !s.kinds[made(*e)] {
			s.kinds[made(*e)] = true
			checkLine(t, *e)
		}
	}
}

func checkLine(t *testing.T, e Event) {
	t.Helper()
	what := made(e) + ": " + e.Text
	ours := map[string]bool{"cache synced": true, "processor synced": true}
	if e.Lane == laneYou || ours[made(e)] {
		assert.Empty(t, e.File, "%s: no stage reports it", what)
		return
	}
	require.NotEmpty(t, e.File, what)
	excerpt, err := source.Excerpt(e.File, e.Line)
	require.NoError(t, err, what)
	require.NotEmpty(t, e.Func, what)
	assert.Equal(t, e.Func, excerpt.Func, what)
	assert.LessOrEqual(t, len(excerpt.Lines), maxExcerpt, what)
	acted := textAt(t, e.File, e.Line)
	known := acts[made(e)]
	if known == nil {
		assert.Regexp(t, calledHere, acted, "%s at %s:%d", what, e.File, e.Line)
		assert.Empty(t, e.Report, what)
	} else {
		in := path.Dir(e.File) + "/" + e.Func
		i := slices.IndexFunc(known, func(a act) bool {
			return a.in == in && strings.Contains(acted, a.text)
		})
		assert.GreaterOrEqual(t, i, 0, "%s: %s has %q", what, in, acted)
		file, line, _ := strings.Cut(e.Report, ":")
		n, err := strconv.Atoi(line)
		require.NoError(t, err, what)
		assert.Regexp(t, traceCall, textAt(t, file, n), "%s, reported at %s", what, e.Report)
	}
	stage := map[string]string{words.API: "fakeapi/", words.Wire: "reflector/", words.Reflector: "reflector/",
		words.Queue: "deltafifo/", words.Cache: "indexer/", words.Processor: "processor/"}[e.Lane]
	assert.Truef(t, strings.HasPrefix(e.File, stage), "%s is reported by %s", what, e.File)
}

// textAt is a line of the source.
func textAt(t *testing.T, file string, line int) string {
	t.Helper()
	excerpt, err := source.Excerpt(file, line)
	require.NoError(t, err)
	i := slices.IndexFunc(excerpt.Lines, func(l SourceLine) bool { return l.N == line })
	return excerpt.Lines[i].Text
}

// Also the acts of which no scenario makes an event are lines of the source, one each.
func TestEveryActIsALineOfItsFunction(t *testing.T) {
	for _, a := range slices.Concat(slices.Collect(maps.Values(acts))...) {
		files, err := fs.Glob(source.root, path.Dir(a.in)+"/*.go")
		require.NoError(t, err)
		found := 0
		for _, file := range files {
			f, err := source.file(file)
			require.NoError(t, err)
			for _, fn := range f.functions {
				if fn.name == path.Base(a.in) {
					found += strings.Count(strings.Join(f.lines[fn.first-1:fn.last], "\n"), a.text)
				}
			}
		}
		assert.Equal(t, 1, found, "%s has one line with %s", a.in, a.text)
	}
}
