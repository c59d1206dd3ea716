package status

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// The limits of an answer. Messages quote the request, which may be megabytes. The real
// server quotes whole values, once for each error, so that its answer to a request in which
// every label is wrong can be a hundred times as long as the request.
const (
	// MaxErrors is the largest number of errors in an answer; validators stop there.
	MaxErrors = 100
	// MaxShown is how many characters of a value messages quote: enough for every name that
	// is not too long.
	MaxShown = 256

	maxMessage = 32 << 10 // characters in the message of a Status
	maxDetail  = 4096     // characters in an explanation: most are short, but some quote values
)

// Show returns a value as messages quote it, cut off at MaxShown.
func Show(v any) string {
	text, isText := v.(string)
	if !isText {
		b, err := json.Marshal(v)
		if err != nil {
			b = fmt.Append(nil, v)
		}
		text = string(b)
	}
	short, dots := Cut(text, MaxShown), ""
	if len(short) < len(text) {
		dots = "..."
	}
	if isText {
		short = strconv.Quote(short)
	}
	return short + dots
}

// Cut returns the beginning of a text, with at most that many characters.
func Cut(text string, most int) string {
	for i := range text {
		if most--; most < 0 {
			return text[:i]
		}
	}
	return text
}
