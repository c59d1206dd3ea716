package pump

import (
	_ "embed"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/watchglass/docs/workshop/exercise"
)

//go:embed pump.go
var source string

// run plays a law in a bubble: time stands still while a goroutine works, and hours pass in no time
// when all of them wait. The law closes in. In the end Pump must have returned.
func run(t *testing.T, law func(in chan<- string, out <-chan string)) {
	exercise.Start(t, "pump.go", source)
	synctest.Test(t, func(t *testing.T) {
		in, out, ended := make(chan string), make(chan string), make(chan bool)
		go func() {
			Pump(in, out)
			close(ended)
		}()
		stuck := time.AfterFunc(100_000*time.Hour, func() {
			t.Error("nothing happens any more, and a sender still waits for Pump to receive, or a " +
				"receiver for a value or the " +
				"end. Pump receives until in is closed, sends all it has received, and closes out.")
		})
		law(in, out)
		stuck.Stop()
		select {
		case <-ended:
		case <-time.After(1000 * time.Hour):
			t.Error("in was closed and all was received, so Pump should have returned, and closed out. " +
				"It still waits; what follows shows where.")
		}
	})
}

// receive receives until out is closed, takes its time over the first value, and then says how many
// there were. A pause for each would take a browser ten seconds, also in virtual time.
func receive(out <-chan string, pause time.Duration) (count chan int) {
	count = make(chan int)
	go func() {
		n := 0
		for range out {
			if n == 0 {
				time.Sleep(pause)
			}
			n++
		}
		count <- n
	}()
	return count
}

func TestWhatWaitsWhenInIsClosedIsStillSent(t *testing.T) {
	run(t, func(in chan<- string, out <-chan string) {
		in <- "a"
		close(in)
		synctest.Wait()
		if got := <-out; got != "a" {
			t.Errorf("in was closed while a value waited; Pump has received it, so it must send it.\n"+
				"got %q, want \"a\"", got)
		}
		synctest.Wait()
		select {
		case <-out:
		default:
			t.Error("in was closed, and all was sent; out is still open, so the receiver waits forever")
		}
	})
}

func TestPumpDoesNotReturnWhileAValueWaits(t *testing.T) {
	exercise.Start(t, "pump.go", source)
	synctest.Test(t, func(t *testing.T) {
		in, out, returned := make(chan string, 1), make(chan string), false
		in <- "a"
		close(in)
		go func() {
			Pump(in, out)
			returned = true
		}()
		synctest.Wait()
		if returned {
			t.Error("a value waits, and Pump has returned: its caller believes that everything was sent")
		}
		for range out {
		}
	})
}

func TestTheSenderNeverWaitsForTheReceiver(t *testing.T) {
	run(t, func(in chan<- string, out <-chan string) {
		began := time.Now()
		count := receive(out, time.Hour)
		for range 300_000 { // more than fit into what Pump may hold at rest
			in <- "x"
		}
		if waited := time.Since(began); waited > 0 {
			t.Errorf("one slow handler must not hold up the sender, and with it all other handlers.\n"+
				"sending 300,000 values took %v, want no time at all", waited)
		}
		close(in)
		if n := <-count; n != 300_000 {
			t.Errorf("nothing is dropped, however much waits.\nof 300,000 values %d arrived", n)
		}
	})
}

func TestOnlyWhatWaitsTakesMemory(t *testing.T) {
	run(t, func(in chan<- string, out <-chan string) {
		for n := range 20_001 {
			if held := exercise.Held; n%20_000 == 0 && held() > 4 {
				t.Errorf("there is a Pump for each handler, for as long as the program runs: neither what "+
					"was sent long ago nor a "+
					"large buffer may stay in memory.\n"+
					"after %d values of a kilobyte nothing waits, and the program holds %d MiB, want "+
					"at most 4", n, held())
				break
			}
			in <- strings.Repeat("x", 1000)
			<-out
		}
		close(in)
	})
}

func TestValuesArriveInTheirOrder(t *testing.T) {
	sent := []string{"a", "a", "", "", "b", "", "a", "c", "c"}
	run(t, func(in chan<- string, out <-chan string) {
		go func() {
			for range 10 {
				for _, v := range sent {
					in <- v
				}
			}
			close(in)
		}()
		n := 0
		for v := range out {
			if want := sent[n%len(sent)]; v != want && !t.Failed() { // the first one says it all
				t.Errorf("a handler must see the states of an object in their order, each as often as it was "+
					"sent; an empty "+
					"string is a value like any other.\nvalue %d is %q, want %q", n+1, v, want)
			}
			n++
		}
		if n != 10*len(sent) {
			t.Errorf("equal values are told as often as they were sent, and an empty one, too.\n"+
				"%d values were sent, and %d arrived",
				10*len(sent), n)
		}
	})
}

func TestAPumpWithNothingToDoIsAtRest(t *testing.T) {
	run(t, func(in chan<- string, out <-chan string) {
		select {
		case v, open := <-out:
			t.Errorf("nothing was sent, and out gave %q (open: %t).\n"+
				"is the send switched off while nothing waits?", v, open)
		case <-time.After(time.Minute):
		}
		close(in)
		if v, open := <-out; open {
			t.Errorf("in was closed, nothing was ever sent, and out gave %q", v)
		}
	})
}
