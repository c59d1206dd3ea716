package tape

import (
	"bytes"
	"io/fs"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a story prints is compared with its text by the test of the informer; here it is the tape
// that has to come out the same.
func TestATapeHasTheSameBytesWhateverTheSchedulerDoes(t *testing.T) {
	files, err := fs.Glob(source.root, ofInformer+"*.story")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		s, err := source.StoryAt(file)
		require.NoError(t, err)
		r := NewRecorder(t, source)
		tape, err := r.Record(s)
		require.NoError(t, err)
		again, err := r.Record(s)
		require.NoError(t, err)
		require.True(t, bytes.Equal(encoded(tape), encoded(again)), file)
	}
}

func TestARecorderPlaysAStoryOnce(t *testing.T) {
	r := NewRecorder(t, source)
	first, err := r.Play(aDeletion)
	require.NoError(t, err)
	again, err := r.Play(aDeletion)
	require.NoError(t, err)
	assert.Same(t, first, again)
	_, err = r.Play("informer/testdata/none.story")
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

// The page and the tour ask before the proof, and one of four answers is right.
func TestEachLessonAsksAQuestion(t *testing.T) {
	r := NewRecorder(t, source)
	for _, l := range Lessons {
		l, _, err := l.Play(r)
		require.NoError(t, err)
		proof := slices.IndexFunc(l.Beats, func(b Beat) bool { return b.Seq == l.ProofAt })
		assert.Positive(t, proof, "%s: the proof is a beat, and the question comes before it", l.Name)
		wrong := slices.DeleteFunc(slices.Clone(l.Answers), func(a Answer) bool { return a.Reply == "" })
		assert.Equal(t, []int{4, 3}, []int{len(l.Answers), len(wrong)}, "%s: answers, wrong ones", l.Name)
	}
}

func TestWhatCannotBePlayedIsSaidInOneSentence(t *testing.T) {
	for text, says := range map[string]string{
		"":                         "x.story has no command, so there is nothing to play",
		"# It flies.\nfly web-1\n": "x.story: line 2: fly web-1: no such command",
		"----\n":                   `x.story: line 1: "----" belongs to no command`,
		"informer queue=LIFO\n":    `line 1: informer queue=LIFO: the kind of a queue is DeltaFIFO or RealFIFO`,
		"run fast\n":               "line 1: run fast: run does not use fast",
		"handler a\ninformer\n":    "line 2: informer: the command informer must come before run",
	} {
		_, err := NewRecorder(t, NewSource(nil)).Record(Story{Name: "x.story", Text: text})
		assert.ErrorContains(t, err, says)
	}
}

// A reader who has changed a story sees what was played before the step that is wrong.
func TestAStoryThatIsWrongLeavesWhatWasPlayed(t *testing.T) {
	s := Story{Name: "x.story", Text: "create web-1\n----\nfly\n\nfly\n"}
	tape, err := NewRecorder(t, source).Record(s)
	assert.ErrorContains(t, err, "line 5: fly: no such command; those that there are:\n  create web-1")
	require.Len(t, tape.Replayed(), 1)
	assert.Equal(t, []string{"fly"}, tape.Replayed()[0].Printed)
	assert.Equal(t, []string{
		"server          0s  ADDED web-1, version 2", "cache [], synced: no",
	}, tape.Replayed()[0].State)
}
