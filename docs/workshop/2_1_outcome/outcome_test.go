package outcome

import (
	_ "embed"
	"testing"
	"time"

	"example.com/watchglass/docs/workshop/exercise"
)

//go:embed outcome.go
var source string

func TestNext(t *testing.T) {
	exercise.Start(t, "outcome.go", source)
	var (
		rewatch      = Action{}
		rewatchLater = Action{Wait: true}
		listLater    = Action{List: true, Wait: true}
	)
	for _, c := range []struct {
		law, why string
		end      End
		want     Action
	}{
		{"after a normal end it watches again without a wait",
			"servers end every watch after some minutes; nothing was missed, and nothing is wrong",
			End{Opened: true, Events: 12, Lived: 8 * time.Minute}, rewatch},
		{"a long watch without events was a good one",
			"nothing has happened in the collection; that is no reason to list it",
			End{Opened: true, Lived: 5 * time.Minute}, rewatch},
		{"a short watch with events was a good one",
			"it has brought the version forward, so the next one asks for something else",
			End{Opened: true, Events: 1, Lived: 200 * time.Millisecond}, rewatch},
		{"a watch that ends within a second and brings nothing is suspect",
			"the same request would end in the same way, again and again",
			End{Opened: true, Lived: 999 * time.Millisecond}, listLater},
		{"a watch that lived for a second is not suspect",
			"one request a second does no harm, and this one was kept open",
			End{Opened: true, Lived: time.Second}, rewatch},
		{"410 at the opening means list",
			"the server has forgotten what came after our version, so no watch can tell of it",
			End{Status: 410, Lived: time.Millisecond}, listLater},
		{"410 in the stream means list, too",
			"it comes as an ERROR event in a stream that was answered with 200, and means the same",
			End{Opened: true, Status: 410, Events: 3, Lived: time.Minute}, listLater},
		{"a refused connection costs no list",
			"a server that restarts has forgotten nothing; a thousand clients that list in the same " +
				"moment would bring it down again",
			End{Lived: time.Millisecond}, rewatchLater},
		{"a connection that took long to fail is no good stream",
			"half a minute went by without an answer: that is no reason to ask again at once",
			End{Lived: 30 * time.Second}, rewatchLater},
		{"too many requests costs no list",
			"a list would be one more request, and a far more expensive one",
			End{Status: 429, Lived: time.Millisecond}, rewatchLater},
		{"too many requests in the stream costs no list, either",
			"it means the same as at the opening: the server asks for less, and a list is more",
			End{Opened: true, Status: 429, Events: 3, Lived: time.Minute}, rewatchLater},
		{"a short stream does not hide 429",
			"the server has said why it ended the stream, and a list is what it can bear least",
			End{Opened: true, Status: 429, Lived: time.Millisecond}, rewatchLater},
		{"a server that answers with 503 has to be asked for a list",
			"it is there and refuses; nothing says that the same watch would ever be accepted",
			End{Status: 503, Lived: time.Millisecond}, listLater},
	} {
		t.Run(c.law, func(t *testing.T) {
			if got := Next(c.end); got != c.want {
				t.Errorf("%s.\nNext(%+v)\ngot  %+v\nwant %+v", c.why, c.end, got, c.want)
			}
		})
	}
	t.Run("no other status has a meaning of its own", func(t *testing.T) {
		for status := 400; status < 600; status++ {
			if status == 429 {
				continue
			}
			for _, end := range []End{{Status: status}, {Opened: true, Status: status, Events: 3, Lived: time.Minute}} {
				if got := Next(end); got != listLater {
					t.Fatalf("only 429 says that the same request may succeed; behind any other refusal may be "+
						"our version.\n"+
						"Next(%+v)\ngot  %+v\nwant %+v", end, got, listLater)
				}
			}
		}
	})
}
