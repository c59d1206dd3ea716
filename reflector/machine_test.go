package reflector

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A rule is a row of a table with the sentence that it stands for.
type rule struct {
	says string
	row  Transition
}

// Both tables share these rules.
var commonRules = []rule{
	{"a list is followed by a watch", Transition{Listing, Listed, GoOn, OpeningWatch}},
	{"a list at a version that is gone is followed at once by one of the latest state",
		Transition{Listing, Expired, GoOn, ListingLatest}},
	{"a list at a version from the future is followed at once by one of the latest state",
		Transition{Listing, TooLarge, GoOn, ListingLatest}},
	{"a list of the latest state is followed by a watch",
		Transition{ListingLatest, Listed, GoOn, OpeningWatch}},

	{"a watch that is granted is read", Transition{OpeningWatch, Opened, GoOn, Watching}},
	{"a busy server does not get a list as well",
		Transition{OpeningWatch, Busy, BackOff, OpeningWatch}},
	{"a server that does not answer does not get a list as well",
		Transition{OpeningWatch, Idle, BackOff, OpeningWatch}},

	{"a stream that ends is continued at once by the next one",
		Transition{Watching, Ended, GoOn, OpeningWatch}},
	{"a watch on a dead connection is continued at once on another",
		Transition{Watching, Idle, GoOn, OpeningWatch}},
	{"an internal error is forgiven for a while",
		Transition{Watching, Internal, GoOn, OpeningWatch}},
	{"a stream that broke early or made no progress is continued after a pause",
		Transition{Watching, CutShort, BackOff, OpeningWatch}},
	{"a stream that a busy server ended is continued after a pause",
		Transition{Watching, Busy, BackOff, OpeningWatch}},
}

var listRules = []rule{
	{"a list that fails is repeated after a pause",
		Transition{Listing, Failed, BackOff, Listing}},
	{"a list of the latest state that is refused as too old is repeated after a pause",
		Transition{ListingLatest, Expired, BackOff, ListingLatest}},
	{"a list of the latest state that is refused as too new is repeated after a pause",
		Transition{ListingLatest, TooLarge, BackOff, ListingLatest}},
	{"a list of the latest state that fails is repeated without the version that was refused",
		Transition{ListingLatest, Failed, BackOff, ListingLatest}},
	{"a version that is too old for a watch needs a list",
		Transition{OpeningWatch, Expired, BackOff, Listing}},
	{"if a list at that version returned that version, a list of the latest state is needed",
		Transition{OpeningWatch, ExpiredAgain, BackOff, ListingLatest}},
	{"a version from the future needs a list, whose answer decides what follows",
		Transition{OpeningWatch, TooLarge, BackOff, Listing}},
	{"a watch that is refused needs a list", Transition{OpeningWatch, Failed, BackOff, Listing}},
	{"a stream that ends early without an event needs a list",
		Transition{Watching, VeryShort, BackOff, Listing}},
	{"a watch whose version expires needs a list",
		Transition{Watching, Expired, BackOff, Listing}},
	{"a watch whose version expires again needs a list of the latest state",
		Transition{Watching, ExpiredAgain, BackOff, ListingLatest}},
	{"a watch of a server that was set back needs a list",
		Transition{Watching, TooLarge, BackOff, Listing}},
	{"a watch that ends with any other error needs a list",
		Transition{Watching, Failed, BackOff, Listing}},
}

var streamRules = []rule{
	{"a stream that is granted is read", Transition{OpeningStream, Opened, GoOn, Streaming}},
	{"a stream that a busy server refuses is asked for again after a pause",
		Transition{OpeningStream, Busy, BackOff, OpeningStream}},
	{"a stream at a version that is gone is followed by one of the latest state",
		Transition{OpeningStream, Expired, GoOn, OpeningLatestStream}},
	{"a stream at a version from the future is followed by one of the latest state",
		Transition{OpeningStream, TooLarge, GoOn, OpeningLatestStream}},
	{"a stream that is not answered is followed by a list",
		Transition{OpeningStream, Idle, GoOn, Listing}},
	{"when the time for streaming is over, a list follows",
		Transition{OpeningStream, Unfinished, GoOn, Listing}},
	{"a stream that the server refuses is followed by a list",
		Transition{OpeningStream, Failed, GoOn, Listing}},

	{"a stream of the latest state that is granted is read, and is still known to be one",
		Transition{OpeningLatestStream, Opened, GoOn, StreamingLatest}},
	{"a stream of the latest state that a busy server refuses is asked for again after a pause",
		Transition{OpeningLatestStream, Busy, BackOff, OpeningLatestStream}},
	{"a stream of the latest state that is refused as too old is followed by a list of it",
		Transition{OpeningLatestStream, Expired, GoOn, ListingLatest}},
	{"a stream of the latest state that is refused as too new is followed by a list of it",
		Transition{OpeningLatestStream, TooLarge, GoOn, ListingLatest}},
	{"a stream of the latest state that is not answered is followed by a list of it",
		Transition{OpeningLatestStream, Idle, GoOn, ListingLatest}},
	{"when the time for streaming the latest state is over, a list of it follows",
		Transition{OpeningLatestStream, Unfinished, GoOn, ListingLatest}},
	{"a stream of the latest state that the server refuses is followed by a list of it",
		Transition{OpeningLatestStream, Failed, GoOn, ListingLatest}},

	{"after its initial events the same stream goes on as a watch",
		Transition{Streaming, Streamed, GoOn, Watching}},
	{"a stream that ends before its initial events are complete begins again after a pause",
		Transition{Streaming, Ended, BackOff, OpeningStream}},
	{"a stream that breaks early begins again after a pause",
		Transition{Streaming, CutShort, BackOff, OpeningStream}},
	{"a stream that a busy server ended begins again after a pause",
		Transition{Streaming, Busy, BackOff, OpeningStream}},
	{"a stream whose version is gone is followed by one of the latest state",
		Transition{Streaming, Expired, BackOff, OpeningLatestStream}},
	{"a stream whose version is from the future is followed by one of the latest state",
		Transition{Streaming, TooLarge, BackOff, OpeningLatestStream}},
	{"a stream that ends early without an event is followed by a list",
		Transition{Streaming, VeryShort, GoOn, Listing}},
	{"a stream whose initial events have no end is followed by a list",
		Transition{Streaming, Unfinished, GoOn, Listing}},
	{"a stream that falls silent is followed by a list",
		Transition{Streaming, Idle, GoOn, Listing}},
	{"a stream that ends with any other error is followed by a list",
		Transition{Streaming, Failed, GoOn, Listing}},

	{"after its initial events a stream of the latest state goes on as a watch",
		Transition{StreamingLatest, Streamed, GoOn, Watching}},
	{"a stream of the latest state that ends before it is complete is followed by another one",
		Transition{StreamingLatest, Ended, BackOff, OpeningLatestStream}},
	{"a stream of the latest state that breaks early is followed by another one",
		Transition{StreamingLatest, CutShort, BackOff, OpeningLatestStream}},
	{"a stream of the latest state that a busy server ended is followed by another one",
		Transition{StreamingLatest, Busy, BackOff, OpeningLatestStream}},
	{"a stream of the latest state whose version is too old is followed by a list of it",
		Transition{StreamingLatest, Expired, GoOn, ListingLatest}},
	{"a stream of the latest state whose version is too new is followed by a list of it",
		Transition{StreamingLatest, TooLarge, GoOn, ListingLatest}},
	{"a stream of the latest state that ends early without an event is followed by a list of it",
		Transition{StreamingLatest, VeryShort, GoOn, ListingLatest}},
	{"a stream of the latest state whose initial events have no end is followed by a list of it",
		Transition{StreamingLatest, Unfinished, GoOn, ListingLatest}},
	{"a stream of the latest state that falls silent is followed by a list of it",
		Transition{StreamingLatest, Idle, GoOn, ListingLatest}},
	{"a stream of the latest state that ends with any other error is followed by a list of it",
		Transition{StreamingLatest, Failed, GoOn, ListingLatest}},

	{"a list that fails is followed by a stream: perhaps only watching is allowed",
		Transition{Listing, Failed, BackOff, OpeningStream}},
	{"a list of the latest state that fails is followed by a stream of it",
		Transition{ListingLatest, Failed, BackOff, OpeningLatestStream}},
	{"a list of the latest state that is refused as too old is followed by a stream of it",
		Transition{ListingLatest, Expired, BackOff, OpeningLatestStream}},
	{"a list of the latest state that is refused as too new is followed by a stream of it",
		Transition{ListingLatest, TooLarge, BackOff, OpeningLatestStream}},

	// Where the other table leads from a watch to a list, this one leads to a stream.
	{"a version that is too old for a watch needs a stream",
		Transition{OpeningWatch, Expired, BackOff, OpeningStream}},
	{"if a list at that version returned that version, a stream of the latest state is needed",
		Transition{OpeningWatch, ExpiredAgain, BackOff, OpeningLatestStream}},
	{"a version from the future needs a stream, whose answer decides what follows",
		Transition{OpeningWatch, TooLarge, BackOff, OpeningStream}},
	{"a watch that is refused needs a stream",
		Transition{OpeningWatch, Failed, BackOff, OpeningStream}},
	{"a watch that ends early without an event needs a stream",
		Transition{Watching, VeryShort, BackOff, OpeningStream}},
	{"a watch whose version expires needs a stream",
		Transition{Watching, Expired, BackOff, OpeningStream}},
	{"a watch whose version expires again needs a stream of the latest state",
		Transition{Watching, ExpiredAgain, BackOff, OpeningLatestStream}},
	{"a watch of a server that was set back needs a stream",
		Transition{Watching, TooLarge, BackOff, OpeningStream}},
	{"a watch that ends with any other error needs a stream",
		Transition{Watching, Failed, BackOff, OpeningStream}},
}

// Each row has a rule and each rule a row.
func TestRules(t *testing.T) {
	compareTable(t, listTable, slices.Concat(commonRules, listRules))
	compareTable(t, streamTable, slices.Concat(commonRules, streamRules))
}

func compareTable(t *testing.T, table []Transition, rules []rule) {
	want := map[Transition]string{}
	for _, rule := range rules {
		want[rule.row] = rule.says
		assert.Contains(t, table, rule.row, "%s: but the table has no row %v", rule.says, rule.row)
	}
	for _, row := range table {
		if row.On == Stop {
			assert.Equal(t, Transition{row.From, Stop, GoOn, Stopped}, row,
				"every state is left at once when the context ends")
			continue
		}
		assert.Contains(t, want, row, "a row without a rule: %v", row)
	}
}
