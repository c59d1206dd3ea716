package backoff

import (
	_ "embed"
	"testing"
	"time"

	"example.com/watchglass/docs/workshop/exercise"
)

//go:embed backoff.go
var source string

const ms = time.Millisecond

func TestDelaysDoubleUpToTheLongest(t *testing.T) {
	exercise.Start(t, "backoff.go", source)
	var b Backoff
	for i := range 1000 { // about eight hours
		if got, want := b.Failed(0, 0), min(800*ms<<min(i, 9), 30*time.Second); got != want {
			t.Fatalf("a server in trouble is asked less and less often, and still twice a minute. "+
				"(Doubled 34 times, the "+
				"nanoseconds of 800ms do not fit into 64 bits any more.)\nafter failure %d: %v, want %v", i+1,
				got, want)
		}
	}
}

func TestDelaysAreStretchedAtRandom(t *testing.T) {
	exercise.Start(t, "backoff.go", source)
	for _, c := range []struct {
		random float64
		want   time.Duration
	}{{0, 800 * ms}, {0.25, 1000 * ms}, {0.5, 1200 * ms}} {
		var b Backoff
		if got := b.Failed(c.random, 0); got != c.want {
			t.Errorf("a thousand clients that lost one server must not come back in the same instant: the "+
				"delay lies "+
				"in [d, 2d).\nrandom %v: %v, want %v", c.random, got, c.want)
		}
	}
	var b Backoff
	b.Failed(0.9, 0)
	if got := b.Failed(0, 0); got != 1600*ms {
		t.Errorf("what was added at random is not doubled with the next failure, or clients with high "+
			"random numbers would wait longer and longer.\n"+
			"random 0.9, then random 0: %v, want 1.6s", got)
	}
	b = Backoff{}
	for range 20 {
		b.Failed(0, 0)
	}
	if got := b.Failed(0.5, 0); got != 45*time.Second {
		t.Errorf("the longest delay is stretched like any other.\nrandom 0.5: %v, want 45s", got)
	}
}

func TestTheServerMayAskForMore(t *testing.T) {
	exercise.Start(t, "backoff.go", source)
	for _, c := range []struct{ retryAfter, want time.Duration }{
		{5 * time.Second, 5 * time.Second}, {time.Second, 1200 * ms}, {time.Hour, time.Hour},
	} {
		var b Backoff
		if got := b.Failed(0.5, c.retryAfter); got != c.want {
			t.Errorf("the client's own delay of 800ms is stretched and limited, and not what the server "+
				"asks for; the longer "+
				"one counts.\nRetry-After %v, random 0.5: %v, want %v", c.retryAfter, got, c.want)
		}
	}
}

func TestSuccessBeginsAnew(t *testing.T) {
	exercise.Start(t, "backoff.go", source)
	var b Backoff
	for range 6 {
		b.Failed(0, 0)
	}
	b.Succeeded()
	if got := b.Failed(0, 0); got != 800*ms {
		t.Errorf("after a failure today, the client must not wait longer because of the failures of "+
			"last week.\nafter a success: %v, want 800ms", got)
	}
}
