package reflector

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The rules of the machine, one by one, each with the sentence that it stands for. Together they
// are the whole table: a row without a rule fails, and so does a rule without a row.
var rules = []struct {
	says string
	row  Transition
}{
	{"a list is followed by a watch", Transition{Listing, Listed, GoOn, OpeningWatch}},
	{"a version that is gone is given up for the latest, at once",
		Transition{Listing, Expired, GoOn, ListingLatest}},
	{"so is one from the future", Transition{Listing, TooLarge, GoOn, ListingLatest}},
	{"a list that fails is tried again, later", Transition{Listing, Failed, BackOff, Listing}},

	{"the latest list is as good as any", Transition{ListingLatest, Listed, GoOn, OpeningWatch}},
	{"the latest cannot be too old; if the server says so, it is asked again, later",
		Transition{ListingLatest, Expired, BackOff, ListingLatest}},
	{"nor too new", Transition{ListingLatest, TooLarge, BackOff, ListingLatest}},
	{"and a failure does not bring the useless version back",
		Transition{ListingLatest, Failed, BackOff, ListingLatest}},

	{"a watch that is granted is read", Transition{OpeningWatch, Opened, GoOn, Watching}},
	{"a busy server gets no list on top", Transition{OpeningWatch, Busy, BackOff, OpeningWatch}},
	{"nor does a silent one", Transition{OpeningWatch, Idle, BackOff, OpeningWatch}},
	{"a version too old to watch from needs a list",
		Transition{OpeningWatch, Expired, BackOff, Listing}},
	{"if a list has led right there, the latest",
		Transition{OpeningWatch, ExpiredAgain, BackOff, ListingLatest}},
	{"a watch that is refused needs a list", Transition{OpeningWatch, Failed, BackOff, Listing}},

	{"a stream that ends goes on in the next one, at once",
		Transition{Watching, Ended, GoOn, OpeningWatch}},
	{"a dead connection is replaced", Transition{Watching, Idle, GoOn, OpeningWatch}},
	{"an internal error is forgiven for a while",
		Transition{Watching, Internal, GoOn, OpeningWatch}},
	{"a stream that broke early is continued, later",
		Transition{Watching, CutShort, BackOff, OpeningWatch}},
	{"a server that is too busy to go on may be watched again, later",
		Transition{Watching, Busy, BackOff, OpeningWatch}},
	{"a stream that brings nothing is no use: list",
		Transition{Watching, VeryShort, BackOff, Listing}},
	{"history has overtaken the watch: list", Transition{Watching, Expired, BackOff, Listing}},
	{"no list twice round the same circle",
		Transition{Watching, ExpiredAgain, BackOff, ListingLatest}},
	{"whatever else ends a stream, a list mends it",
		Transition{Watching, Failed, BackOff, Listing}},
}

var streamingRules = []struct {
	says string
	row  Transition
}{
	{"a stream that is granted is read", Transition{OpeningStream, Opened, GoOn, Streaming}},
	{"a busy server is asked again, later",
		Transition{OpeningStream, Busy, BackOff, OpeningStream}},
	{"a version that is gone is given up for the latest",
		Transition{OpeningStream, Expired, GoOn, OpeningLatestStream}},
	{"so is one from the future", Transition{OpeningStream, TooLarge, GoOn, OpeningLatestStream}},
	{"a server that says nothing gets a list", Transition{OpeningStream, Idle, GoOn, Listing}},
	{"a server that cannot stream gets a list", Transition{OpeningStream, Failed, GoOn, Listing}},

	{"the latest stream is read like any",
		Transition{OpeningLatestStream, Opened, GoOn, Streaming}},
	{"a busy server is asked again, later",
		Transition{OpeningLatestStream, Busy, BackOff, OpeningLatestStream}},
	{"the latest cannot be too old: list",
		Transition{OpeningLatestStream, Expired, GoOn, ListingLatest}},
	{"nor too new", Transition{OpeningLatestStream, TooLarge, GoOn, ListingLatest}},
	{"silence gets a list", Transition{OpeningLatestStream, Idle, GoOn, ListingLatest}},
	{"refusal gets a list", Transition{OpeningLatestStream, Failed, GoOn, ListingLatest}},

	{"behind the initial events the same stream goes on",
		Transition{Streaming, Streamed, GoOn, Watching}},
	{"half a collection is none: from the beginning",
		Transition{Streaming, Ended, BackOff, OpeningStream}},
	{"the same if it broke early", Transition{Streaming, CutShort, BackOff, OpeningStream}},
	{"the same if the server became busy", Transition{Streaming, Busy, BackOff, OpeningStream}},
	{"a version that is gone is given up for the latest",
		Transition{Streaming, Expired, BackOff, OpeningLatestStream}},
	{"so is one from the future", Transition{Streaming, TooLarge, BackOff, OpeningLatestStream}},
	{"a stream that brings nothing: list", Transition{Streaming, VeryShort, GoOn, Listing}},
	{"a stream whose initial events have no end: list",
		Transition{Streaming, Unfinished, GoOn, Listing}},
	{"a stream that falls silent: list", Transition{Streaming, Idle, GoOn, Listing}},
	{"whatever else ends it: list", Transition{Streaming, Failed, GoOn, Listing}},

	// Where a reflector that lists would list again, one that streams streams again.
	{"a version too old to watch from needs a stream",
		Transition{OpeningWatch, Expired, BackOff, OpeningStream}},
	{"the latest, if a list has led there",
		Transition{OpeningWatch, ExpiredAgain, BackOff, OpeningLatestStream}},
	{"a refused watch needs a stream", Transition{OpeningWatch, Failed, BackOff, OpeningStream}},
	{"a useless watch needs a stream", Transition{Watching, VeryShort, BackOff, OpeningStream}},
	{"history has overtaken the watch: stream",
		Transition{Watching, Expired, BackOff, OpeningStream}},
	{"not twice round the same circle",
		Transition{Watching, ExpiredAgain, BackOff, OpeningLatestStream}},
	{"whatever else ends a watch, a stream mends it",
		Transition{Watching, Failed, BackOff, OpeningStream}},
}

func TestRules(t *testing.T) {
	want := map[Transition]string{}
	for _, rule := range rules {
		want[rule.row] = rule.says
	}
	compareTable(t, Table(false), want)
}

func TestStreamingRules(t *testing.T) {
	want := map[Transition]string{}
	for _, rule := range rules {
		relist := rule.row.To == Listing || rule.row.To == ListingLatest
		if fromWatch := rule.row.From == OpeningWatch || rule.row.From == Watching; !fromWatch || !relist {
			want[rule.row] = rule.says
		}
	}
	for _, rule := range streamingRules {
		want[rule.row] = rule.says
	}
	compareTable(t, Table(true), want)
}

func compareTable(t *testing.T, table []Transition, want map[Transition]string) {
	for row, says := range want {
		assert.Contains(t, table, row, "%s: but the table has no row %v", says, row)
	}
	for _, row := range table {
		if row.On == Stop {
			assert.Equal(t, Stopped, row.To, "stop means stop, from %v", row.From)
			continue
		}
		assert.Contains(t, want, row, "a row without a rule: %v", row)
	}
}

func TestTableIsComplete(t *testing.T) {
	for _, streaming := range []bool{false, true} {
		table := Table(streaming)
		seen := map[[2]int]bool{}
		reached := []State{first(table)}
		for _, row := range table {
			pair := [2]int{int(row.From), int(row.On)}
			assert.False(t, seen[pair], "one outcome has one consequence: %v", row)
			seen[pair] = true
			reached = append(reached, row.To)
		}
		for _, s := range statesOf(table) {
			assert.True(t, seen[[2]int{int(s), int(Failed)}], "%v says what happens upon failure",
				s)
			assert.True(t, seen[[2]int{int(s), int(Stop)}], "%v can be stopped", s)
			assert.True(t, seen[[2]int{int(s), int(success(s))}] || s == Watching, "%v can succeed",
				s)
			assert.Contains(t, reached, s, "%v can be reached", s)
		}
	}
}

// A server decides which outcomes occur. Whatever it decides, it must not keep the reflector busy:
// going round without a pause is possible only by way of an outcome that has cost the server time
// or useful events.
func TestNoStorm(t *testing.T) {
	paid := []Outcome{Ended, Idle, Internal} // a second or an event; the idle timeout; a window
	for _, streaming := range []bool{false, true} {
		table := Table(streaming)
		var visit func(s State, path []State)
		visit = func(s State, path []State) {
			if !assert.NotContains(t, path, s, "a circle without a pause") {
				return
			}
			for _, row := range table {
				if row.From == s && row.Do == GoOn && !slices.Contains(paid, row.On) {
					visit(row.To, append(path, s))
				}
			}
		}
		for _, s := range statesOf(table) {
			visit(s, nil)
		}
	}
}

func TestTableBelongsToTheCaller(t *testing.T) {
	Table(true)[0] = Transition{}
	Table(false)[0] = Transition{}
	assert.NotEqual(t, Transition{}, Table(false)[0], "nobody can change what a reflector does")
	_, ok := next(Table(false), Watching, Listed)
	assert.False(t, ok, "what cannot meet has no row")
}

func TestNames(t *testing.T) {
	names := map[string]bool{}
	for s := Listing; s <= Stopped; s++ {
		names[s.String()] = true
	}
	for o := Listed; o <= Stop; o++ {
		names[o.String()] = true
	}
	for a := GoOn; a <= BackOff; a++ {
		names[a.String()] = true
	}
	assert.Len(t, names, int(Stopped)+1+int(Stop)+1+int(BackOff)+1, "every name is used once")
	assert.NotContains(t, names, "", "and everything has one")
	assert.Equal(t, "state(99)", State(99).String())
	assert.Equal(t, "outcome(-1)", Outcome(-1).String())
	row := Transition{Watching, Expired, BackOff, Listing}
	assert.Equal(t, "watching: expired, back off → listing", row.String())
	row = Transition{Watching, Ended, GoOn, OpeningWatch}
	assert.Equal(t, "watching: ended → opening watch", row.String())
}
