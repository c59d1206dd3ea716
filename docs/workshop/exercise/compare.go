package exercise

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
)

// A Row is a step, with what an answer shows after it and what a slow and obvious model shows.
type Row struct{ Step, Got, Want string }

// Compare plays sequences of random steps, the same in each run, and fails the test at the first
// one in which a row's Got is not its Want. It takes steps out of that sequence for as long as it
// stays wrong, and prints the rest as a table: a learner reads three steps, not thirty.
//
// play plays steps on a new answer and a new model, and returns a row for each step. A step that is
// not possible has an empty row.
func Compare[S any](t *testing.T, why string, step func(*rand.Rand) S, play func([]S) []Row) {
	t.Helper()
	for seed := range uint64(500) {
		dice := rand.New(rand.NewPCG(seed, 0))
		steps := make([]S, 1+seed%60)
		for i := range steps {
			steps[i] = step(dice)
		}
		if rows := play(steps); wrong(rows) >= 0 {
			t.Errorf("%s.\n%s", why, table(play(shrink(steps, play))))
			return
		}
	}
}

// wrong returns the index of the first row that is wrong, -1 if none is.
func wrong(rows []Row) int {
	return slices.IndexFunc(rows, func(r Row) bool { return r.Got != r.Want })
}

// shrink returns as few of the steps as are wrong without any one more taken out.
func shrink[S any](steps []S, play func([]S) []Row) []S {
	steps = steps[:wrong(play(steps))+1]
	for i := 0; i < len(steps); i++ {
		fewer := slices.Delete(slices.Clone(steps), i, i+1)
		if bad := wrong(play(fewer)); bad >= 0 {
			steps, i = fewer[:bad+1], -1
		}
	}
	return steps
}

// table prints the rows; the last one is wrong.
func table(rows []Row) string {
	var b strings.Builder
	columns := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	for _, r := range rows {
		if r.Got == r.Want && r.Step != "" {
			fmt.Fprintf(columns, "%s\t%s\n", r.Step, r.Got)
		} else if r.Step != "" {
			fmt.Fprintf(columns, "%s\tgot  %s\n\twant %s\n", r.Step, r.Got, r.Want)
		}
	}
	columns.Flush()
	return strings.TrimRight(b.String(), "\n")
}
