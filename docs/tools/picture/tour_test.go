package picture

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/docs/tools/tape"
)

// source is shared, because it remembers what it has read.
var source = tape.OpenSource()

// toured is what the tour writes on a screen of this size, for a reader who types these letters,
// one each time the tour waits. After the last one, the input has ended. Without rows there is no
// reader.
func toured(t *testing.T, rows, columns int, keys, story string, only int) string {
	t.Helper()
	var out bytes.Buffer
	s := program.NewScreen(strings.NewReader(""), &out, true)
	s.Rows, s.Columns = rows, columns
	if rows > 0 {
		s.Enter = func(context.Context) (typed string, err error) {
			if keys == "" {
				return "", io.EOF
			}
			typed, keys = keys[:1], keys[1:]
			return strings.TrimSpace(typed), nil
		}
	}
	require.NoError(t, NewTour(s).Play(t.Context(), tape.NewRecorder(t, source), story, only))
	return out.String()
}

// The picture is the same in each run, and what stands in a row has led to what stands right of it.
func TestALessonIsPrintedAsLanes(t *testing.T) {
	const want = `
  ▸ create web-2
    - web-2 is created and takes the same path: a frame, a delta, a pop, and the cache has it.
    - OnAdd is called with web-2. This add is not part of the initial list.

 API server       reflector       DeltaFIFO          indexer       processor      handlers
────────────────┬───────────────┬──────────────────┬─────────────┬──────────────┬───────────────────
 ADDED web-2@4  │               │                  │             │              │
 sends web-2@4 ─▶ ADDED web-2@4 ▶ Added web-2@4    │             │              │
                │               │ pop web-2 ───────▶ + web-2@4 ──▶ add web-2@4 ─▶ greeter added
                │               │                  │             │              │  web-2@4
`
	out := toured(t, 0, program.MostColumns, "", "", 2)
	assert.Contains(t, out, want)
	assert.NotContains(t, out, "create web-1", "what was before the first beat is left out")
	assert.Contains(t, out, "What does the server send on the open watch?")
	assert.Contains(t, out, "\n    1 is right.\n")
	assert.NotContains(t, out, "\x1b", "there is no colour without a terminal")
	assert.Equal(t, 1, strings.Count(out, "Noted for this key: the object was created."),
		"each kind is explained once")
}

func TestAStoryIsPrintedWithItsProse(t *testing.T) {
	out := toured(t, 0, program.MostColumns, "", "ordered_queue", 0)
	assert.Contains(t, out, " RealFIFO ", "it plays with the queue that it is about")
	assert.Contains(t, out, "  ▸ update web-1 color=blue ▸ update db-1 color=blue "+
		"▸ update web-1 color=green\n"+
		"    - Each change takes its own place in the queue, in the order of the server.")
	const file = "../../../informer/testdata/22_a_frame_breaks_off.story"
	assert.Contains(t, toured(t, 0, program.MostColumns, "", file, 0), "fault: cut")
	for name, says := range map[string]string{
		"none.story": "0 stories have", "handler": "expected one: informer/testdata/0",
		"../none.story": "no such file",
	} {
		tour := NewTour(program.NewScreen(os.Stdin, io.Discard, true))
		err := tour.Play(t.Context(), tape.NewRecorder(t, source), name, 0)
		assert.ErrorContains(t, err, says)
	}
}

func TestTheReaderAnswersWithADigit(t *testing.T) {
	for keys, says := range map[string]string{
		"1": "    1 is right.\n", "4": "    4 is wrong. A list is for the start, and for changes " +
			"that no watch " +
			"can bring any more. 1 is\n    right.\n", " ": "    1 is right.\n", "": "    1 is right.\n",
	} {
		assert.Contains(t, toured(t, 200, program.MostColumns, keys, "", 2), says, keys)
	}
}

func TestEnterLeadsThroughTheTour(t *testing.T) {
	const end = "another story of the informer\n"
	for _, c := range []struct {
		law, keys string
		prompts   int // how often the tour waits, on a screen that is never full
		end       string
	}{
		{"Enter leads on, and there are two waits a lesson", strings.Repeat(" ", 30), 21, end},
		{"q ends the tour", "  q", 3, "The tour has ended early.\n"},
		{"after an a the tour plays on by itself", "  a", 3, end},
		{"after the end of the input, too", " ", 2, end},
	} {
		out := toured(t, 10_000, program.MostColumns, c.keys, "", 0)
		assert.Equal(t, c.prompts, strings.Count(out, program.Prompt), c.law)
		assert.True(t, strings.HasSuffix(out, c.end), c.law)
	}
}

// A picture that is higher than the screen is drawn in parts, each below a header.
func TestWhatIsWrittenBetweenTwoWaitsIsOnTheScreenTogether(t *testing.T) {
	for rows, columns := range map[int]int{24: 80, 12: 80, 40: 120} {
		out := toured(t, rows, columns, strings.Repeat(" ", 1000), "", 0)
		require.Contains(t, out, "another story of the informer")
		for page := range strings.SplitSeq(out, program.Prompt) {
			lines := strings.Split(page, "\n")
			if strings.Contains(page, "That was the whole pipe") {
				continue // after it there is no prompt
			}
			if rows >= 24 {
				assert.LessOrEqual(t, len(lines), rows, page)
			}
			if strings.Contains(page, " │ ") {
				assert.Contains(t, page, "┬──", "each part of a picture has a header")
			}
			for _, line := range lines {
				assert.LessOrEqual(t, len([]rune(line)), min(columns, program.MostColumns), line)
			}
		}
	}
	prompt := toured(t, 24, 80, "", "", 2) // the reader has left at the first question
	prompt, _, _ = strings.Cut(prompt[strings.Index(prompt, "\n  1 to 4")+1:], "\n")
	assert.Less(t, len(prompt), 80, "the prompt is one line: %s", prompt)
}

// The README shows this picture.
func TestTheCheckedInPictureIsWhatTheTourDraws(t *testing.T) {
	const file = "../../run/tour/lanes.svg"
	picture, err := overview(tape.NewRecorder(t, source))
	require.NoError(t, err)
	if os.Getenv("STORY") == "rewrite" {
		require.NoError(t, os.WriteFile(file, []byte(picture), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	want = bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))
	require.True(t, string(want) == picture,
		"the tour draws another picture now: STORY=rewrite go test keeps it; then look at it")
	for decoder := xml.NewDecoder(bytes.NewReader(want)); ; {
		if _, err = decoder.Token(); err != nil {
			break
		}
	}
	assert.ErrorIs(t, err, io.EOF, "a picture is well-formed XML, or browsers do not show it")
	assert.True(t, strings.Contains(string(want), "(prefers-color-scheme:dark)"))
}

// A cell is written as its lane and its object, or as its lane alone if it is about none.
func TestPlacing(t *testing.T) {
	names := []string{"server", "client", "queue", "worker", "handler"}
	five := lanes{names: names, talks: []bool{true, false, false, true}}
	for _, c := range []struct{ law, cells, rows string }{
		{"an object on its way to the right stays in its row", "server a, client a, queue a", "[0 0 0]"},
		{"a lane keeps the order of reports, of one object or of several", "queue a, queue b, queue a", "[0 1 2]"},
		{"an effect in a lane to the left stands below its cause", "handler a, server a", "[0 1]"},
		{"an effect in a lane to the right stands no higher than its cause", "worker b, worker a, handler a", "[0 1 1]"},
		{"objects that have nothing to do with each other may share a row", "worker a, server b", "[0 0]"},
		{"the objects of a list stand no higher than the list", "client, client, queue a", "[0 1 1]"},
		{"so do those that were seen before", "server a, client, client, queue a", "[0 0 1 1]"},
		{"requests and answers, which are about no object, go downwards", "client, client, server, client", "[0 1 1 2]"},
		{"a cell about no object may stand above those of a lane that does not talk with it", "queue, queue, client", "[0 1 0]"},
		{"the same holds for a lane on the right", "client, client, queue", "[0 1 0]"},
	} {
		var cells []cell
		for text := range strings.SplitSeq(c.cells, ", ") {
			lane, object, _ := strings.Cut(text, " ")
			cells = append(cells, cell{lane: slices.Index(names, lane), object: object})
		}
		assert.Equal(t, c.rows, fmt.Sprint(five.place(cells)), c.law)
	}
}
