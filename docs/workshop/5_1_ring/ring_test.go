package ring

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"example.com/watchglass/docs/workshop/exercise"
)

//go:embed ring.go
var source string

func TestValuesComeOutInTheOrderInWhichTheyWentIn(t *testing.T) {
	exercise.Start(t, "ring.go", source)
	var r Ring
	next, expected := 0, 0
	// Seven are written and five read in each round, so the window wanders round and grows.
	for range 50 {
		for range 7 {
			r.Write(strconv.Itoa(next))
			next++
		}
		for range 5 {
			v, ok := r.Read()
			if want := strconv.Itoa(expected); !ok || v != want {
				t.Fatalf("the oldest value comes out first.\nafter %d writes, read %d gave %q, %t; want %q\n"+
					"now the ring is %+v",
					next, expected+1, v, ok, want, r)
			}
			expected++
		}
	}
	if r.Count != next-expected {
		t.Errorf("%d were written and %d read, so %d should be left; the ring counts %d",
			next, expected, next-expected, r.Count)
	}
}

// An empty string is a value like any other.
func TestAnEmptyStringIsAValue(t *testing.T) {
	exercise.Start(t, "ring.go", source)
	var r Ring
	r.Write("")
	if v, ok := r.Read(); !ok || v != "" {
		t.Errorf("what was written can be read; only Count says whether there is something.\n"+
			"Write(\"\"), then Read gave %q, %t; want \"\", true", v, ok)
	}
}

func TestTheSizeDoublesWhenFull(t *testing.T) {
	exercise.Start(t, "ring.go", source)
	var r Ring
	for i, want := 0, 4; i < 5000; i++ {
		if r.Write("x"); i == want {
			want *= 2
		}
		if len(r.Slots) != want {
			t.Fatalf("a ring begins with four slots and doubles when it is full, so a value is moved once "+
				"on average; growing by "+
				"a fixed amount moves all of them again and again.\n"+
				"after %d writes the ring has %d slots, want %d", i+1, len(r.Slots), want)
		}
	}
}

func TestABurstIsGivenBack(t *testing.T) {
	exercise.Start(t, "ring.go", source)
	var r Ring
	for range 64 {
		r.Write("x")
	}
	for r.Count > 1 {
		before, old := len(r.Slots), r.Slots
		r.Read()
		if len(r.Slots) == before && &old[0] != &r.Slots[0] {
			t.Fatalf("as long as the ring keeps its size it keeps its slice: a new one for each read is "+
				"garbage for each read.\n"+
				"with %d of %d slots in use after a read, they are in another slice than before", r.Count,
				before)
		}
		if len(r.Slots) < before && cap(r.Slots) > 4*len(r.Slots) {
			t.Fatalf("a slice with room for more keeps the memory of the burst.\n"+
				"the %d slots have a capacity of %d", len(r.Slots), cap(r.Slots))
		}
		for i := range old {
			if len(r.Slots) < before && &old[i] == &r.Slots[0] {
				t.Fatalf("a shorter slice of the same array keeps all of it in memory; only a new slice "+
					"gives it back.\n"+
					"the %d slots are still those of the array with %d", len(r.Slots), before)
			}
		}
		if want := sizeAfter(before, r.Count); len(r.Slots) != want {
			t.Fatalf("a ring shrinks when at most a quarter is in use, and never below four slots: one "+
				"value that "+
				"always waits must not keep the memory of a burst, nor may it allocate for every value.\n"+
				"with %d of %d slots in use after a read, the ring has %d slots; want %d",
				r.Count, before, len(r.Slots), want)
		}
	}
	if len(r.Slots) != 4 {
		t.Errorf("a ring shrinks to four slots and no further, so that it does not allocate for every "+
			"value.\n"+
			"it has %d", len(r.Slots))
	}
}

func sizeAfter(slots, count int) int {
	if slots >= 8 && count <= slots/4 {
		return slots / 2
	}
	return slots
}

// The model is a slice of what waits, and the number of slots that there must be.
func TestAnyWritesAndReads(t *testing.T) {
	exercise.Start(t, "ring.go", source)
	phase := 0
	exercise.Compare(t, "after each step the window holds what waits, every other slot is empty, "+
		"and the size follows",
		func(dice *rand.Rand) string {
			if phase++; dice.IntN(40) < 5+30*(phase/20%2) { // twenty steps mostly up, and twenty down
				return "write"
			}
			return "read"
		}, func(steps []string) (rows []exercise.Row) {
			var r Ring
			var waits []string
			slots := 0
			for i, step := range steps {
				row, before := exercise.Row{Step: step}, slices.Clone(r.Slots)
				if step == "write" {
					row.Step += fmt.Sprint(" ", i)
					r.Write(strconv.Itoa(i))
					waits = append(waits, strconv.Itoa(i))
					if len(waits) > slots {
						slots = max(4, 2*slots)
					}
				} else {
					v, ok := r.Read()
					row.Got, row.Want = fmt.Sprintf("%q %t, ", v, ok), `"" false, `
					if len(waits) > 0 {
						row.Want = fmt.Sprintf("%q true, ", waits[0])
						waits = waits[1:]
						slots = sizeAfter(slots, len(waits))
					}
				}
				row.Got += r.line()
				if n := differ(before, r.Slots); n > 1 {
					row.Got += fmt.Sprintf(
						", and %d slots changed: values are moved only into a slice of another size", n)
				}
				row.Want += fmt.Sprintf("%d slots, waiting %q", slots, waits)
				rows = append(rows, row)
			}
			return rows
		})
}

// differ counts the slots that are not as before. In another size, all may differ.
func differ(before, after []string) (n int) {
	for i := range before {
		if len(before) == len(after) && before[i] != after[i] {
			n++
		}
	}
	return n
}

// line shows the size and the window of the ring, and what is wrong outside of it.
func (r *Ring) line() string {
	n, rest := len(r.Slots), ""
	if r.Count < 0 || r.Count > n || n > 0 && (r.Start < 0 || r.Start >= n) {
		return fmt.Sprintf("%d slots, Start %d, Count %d", n, r.Start, r.Count)
	}
	var window []string
	for i := range n {
		v := r.Slots[(r.Start+i)%n]
		if i < r.Count {
			window = append(window, v)
		} else if v != "" {
			rest += fmt.Sprintf(", and %q outside of the window", v)
		}
	}
	return fmt.Sprintf("%d slots, waiting %q%s", n, window, rest)
}
