package exercise

import (
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnExerciseIsOpenWhileItsBodyIsNotWritten(t *testing.T) {
	for _, c := range []struct {
		law, source string
		line        int
	}{
		{"a panic that says TODO is open", "package p\n\nfunc f() {\n\tpanic(\"TODO\")\n}\n", 4},
		{"the text may go on", "package p\nfunc f() { panic(`TODO: two lines`) }\n", 2},
		{"the first of several counts", "package p\nfunc f() { panic(\"TODO\") }\nfunc g() { panic(\"TODO\") }\n", 2},
		{"also inside a function literal", "package p\nvar f = func() {\n\tpanic(\"TODO\")\n}\n", 3},
		{"a panic that says something else may be part of a solution", "package p\nfunc f() { panic(\"empty ring\") }\n", 0},
		{"so may a panic with a variable, even if it is called TODO", "package p\nvar TODO = 1\nfunc f() { panic(TODO) }\n", 0},
		{"a comment is not code", "package p\n// panic(\"TODO\")\nfunc f() {}\n", 0},
		{"a method called panic is not panic", "package p\nfunc f(t T) { t.panic(\"TODO\") }\n", 0},
	} {
		todos, err := TODOs(c.source)
		require.NoError(t, err, c.law)
		assert.Equal(t, c.line, append(todos, TODO{})[0].Line, c.law)
	}
	todos, err := TODOs("package p\nfunc f() {\n\tg()\n\tpanic(\"TODO\")\n}\nfunc g() { panic(\"TODO\") }\n")
	require.NoError(t, err)
	assert.Equal(t, []TODO{{4, "f", true}, {6, "g", false}}, todos, "code above a panic is pointed out")
	_, err = TODOs("package p\nfunc f() {\n")
	assert.Error(t, err, "what is not Go is neither open nor solved")
}

func TestAnOpenExerciseIsSkipped(t *testing.T) {
	ranOn := false
	t.Run("open", func(t *testing.T) {
		t.Cleanup(func() { assert.True(t, t.Skipped(), "an open exercise is skipped, and does not fail") })
		Start(t, "f.go", "package p\nfunc f() { panic(\"TODO\") }\n")
		ranOn = true
	})
	assert.False(t, ranOn, "the laws of an open exercise are not run")
	t.Run("written", func(t *testing.T) {
		Start(t, "f.go", "package p\nfunc f() {}\n")
		ranOn = true
	})
	assert.True(t, ranOn, "the laws of a written exercise are run")
}

func TestATestThatDoesNotEndSaysWhereItIs(t *testing.T) {
	const stacks = "goroutine 7 [running]:\nw/ring.TestRing(0x1)\n\t/home/w/ring_test.go:12 +0x1\n" +
		"goroutine 8 [sync.Mutex.Lock]:\nw/ring.(*Ring).Read(0x1)\n\t/home/w/ring.go:31 +0x1\n"
	assert.Contains(t, stuck("TestRing", "still runs after 20s", stacks, []string{"pump.go", "ring.go"}),
		"TestRing still runs after 20s, in ring.go:31: is there a loop that does not end",
		"the line of the learner's file is what helps, not that of the test")
	assert.Contains(t, stuck("TestRing", "holds 300 MiB", stacks, []string{"pump.go"}), "300 MiB: is there",
		"a test that waits outside of the file has no line in it")
}

func TestATestThatRunsTooLongIsEnded(t *testing.T) {
	defer func(before time.Duration) { patience = before }(patience)
	patience = 2 * glance
	assert.Equal(t, "still runs after 100ms", await(nil))
}

func TestATestThatHoldsTooMuchIsEnded(t *testing.T) {
	defer runtime.GC() // the next test may hold only its own
	held := make([]byte, enough+1)
	assert.Regexp(t, `^holds \d+ MiB$`, await(nil), "a loop that appends uses up the memory before the time")
	runtime.KeepAlive(held)
	over := make(chan struct{})
	close(over)
	assert.Empty(t, await(over), "a test that is over is not ended")
}

// A counter that forgets to count the third of equal letters in a row.
func TestACounterexampleIsAsShortAsItCanBe(t *testing.T) {
	play := func(steps []string) (rows []Row) {
		for i, s := range steps {
			got := i + 1
			if i >= 2 && s == "b" && steps[i-1] == "b" && steps[i-2] == "b" {
				got--
			}
			rows = append(rows, Row{s, strconv.Itoa(got), strconv.Itoa(i + 1)})
		}
		return rows
	}
	assert.Equal(t, []string{"b", "b", "b"}, shrink(strings.Split("abbaabcbbbaab", ""), play))
	assert.Equal(t, "b   1\nb   2\nb   got  2\n    want 3", table(play([]string{"b", "b", "b"})))
}
