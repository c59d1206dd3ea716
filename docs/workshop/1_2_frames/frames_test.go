package frames

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"example.com/watchglass/docs/workshop/exercise"
)

//go:embed frames.go
var source string

var errReset = errors.New("connection reset by peer")

// parts is a body that arrives in parts: each Read returns one of them. It gives its end once, and
// then io.EOF.
type parts struct {
	left []string
	end  error
}

func (p *parts) Read(b []byte) (int, error) {
	if len(p.left) == 0 {
		end := p.end
		p.end = io.EOF
		return 0, end
	}
	n := copy(b, p.left[0])
	if p.left[0] = p.left[0][n:]; p.left[0] == "" {
		p.left = p.left[1:]
	}
	return n, nil
}

func TestNext(t *testing.T) {
	exercise.Start(t, "frames.go", source)
	long := "[" + strings.Repeat("1", 2<<20) + "]"
	for _, c := range []struct {
		law, why string
		body     io.Reader
		want     []string
		end      error
	}{
		{"every line is a frame", "the server writes one event a line",
			&parts{[]string{"[1]\n", "[2]\n"}, io.EOF}, []string{"[1]", "[2]"}, io.EOF},
		{"a frame may arrive in parts",
			"the network cuts where it likes, in the middle of a word as well",
			&parts{[]string{"[", "1", "]", "\n[2]\n"}, io.EOF}, []string{"[1]", "[2]"}, io.EOF},
		{"several frames may arrive together", "two events in one chunk are two events",
			&parts{[]string{"[1]\n[2]\n[3]\n"}, io.EOF}, []string{"[1]", "[2]", "[3]"}, io.EOF},
		{"half a line at the end is no frame",
			"the connection broke in the middle of an event; what is there may even be JSON, of another " +
				"event",
			&parts{[]string{"[1]\n", "[2"}, io.EOF}, []string{"[1]"}, io.ErrUnexpectedEOF},
		{"a last line without its newline is half a line, too",
			"a bracket at the end does not prove that it was the last one",
			&parts{[]string{"[1]\n[2]"}, io.EOF}, []string{"[1]"}, io.ErrUnexpectedEOF},
		{"the error of the body is passed on",
			"a caller that logs it must see that the connection was reset",
			&parts{[]string{"[1]\n[2"}, errReset}, []string{"[1]"}, errReset},
		{"bytes that come together with the end count",
			"Read may return the last bytes and io.EOF in one call; the bytes have arrived all the same",
			iotest.DataErrReader(strings.NewReader("[1]\n[2]\n")), []string{"[1]", "[2]"}, io.EOF},
		{"an error that comes together with bytes counts, too",
			"Read has returned the last bytes and this error in one call; it may not say it a second time",
			iotest.DataErrReader(&parts{[]string{"[1]\n"}, errReset}), []string{"[1]"}, errReset},
		{"an empty line is no frame",
			"between two events there may be blank lines, and they mean nothing",
			&parts{[]string{"\n[1]\n\n\n[2]\n"}, io.EOF}, []string{"[1]", "[2]"}, io.EOF},
		{"a long frame is one frame", "an object may have a megabyte and more, larger than any buffer",
			&parts{[]string{long + "\n"}, io.EOF}, []string{long}, io.EOF},
		{"a read that brings nothing is not the end",
			"a reader may return 0 bytes and no error; it has to be asked again",
			&parts{[]string{"[1]\n", "", "[2]\n"}, io.EOF}, []string{"[1]", "[2]"}, io.EOF},
		{"an empty body has no frames", "a watch may end before anything has happened",
			&parts{nil, io.EOF}, nil, io.EOF},
	} {
		t.Run(c.law, func(t *testing.T) {
			r := NewReader(c.body)
			var got []string
			for range 100 {
				frame, err := r.Next()
				if err != nil {
					if fmt.Sprint(got) != fmt.Sprint(c.want) || !errors.Is(err, c.end) {
						t.Errorf("%s.\ngot  %.80q, then %v\nwant %.80q, then %v", c.why, got, err, c.want, c.end)
					}
					return
				}
				got = append(got, frame)
			}
			t.Errorf("%s.\ngot  %.80q and so on, 100 frames without an error\nwant %.80q, then %v", c.why,
				got[:3], c.want, c.end)
		})
	}
}

func TestTheErrorIsReturnedAgainByEachLaterCall(t *testing.T) {
	exercise.Start(t, "frames.go", source)
	for end, want := range map[error]error{io.EOF: io.ErrUnexpectedEOF, errReset: errReset} {
		reader := NewReader(&parts{[]string{"[1"}, end})
		for call := range 3 {
			if frame, err := reader.Next(); frame != "" || !errors.Is(err, want) {
				t.Errorf("a caller that asks once more must not take a broken watch for one that has ended "+
					"in an orderly way.\n"+
					"call %d returned %q, %v; want %v", call+1, frame, err, want)
			}
		}
	}
}

// waiting is a body that has sent two frames and half of another, and then nothing for a long time.
type waiting struct {
	left string
	t    *testing.T
}

func (w *waiting) Read(b []byte) (int, error) {
	if w.left == "" {
		w.t.Error("the frame has arrived, and Next reads on before it returns it: on a quiet watch an " +
			"event " +
			"would be told when the next one comes, perhaps an hour later")
		return 0, io.EOF
	}
	n := copy(b, w.left)
	w.left = w.left[n:]
	return n, nil
}

func TestAFrameIsReturnedAsSoonAsItIsThere(t *testing.T) {
	exercise.Start(t, "frames.go", source)
	reader := NewReader(&waiting{"[1]\n[2]\n[3", t})
	for _, want := range []string{"[1]", "[2]"} {
		if frame, err := reader.Next(); frame != want || err != nil {
			t.Errorf("got %q, %v; want %q and no error", frame, err, want)
		}
	}
}

func TestALongWatchTakesLittleMemory(t *testing.T) {
	exercise.Start(t, "frames.go", source)
	reader := NewReader(&parts{slices.Repeat([]string{strings.Repeat("1", 999) + "\n"}, 50_000),
		io.EOF})
	for range 50_000 {
		if _, err := reader.Next(); err != nil {
			t.Fatal(err)
		}
	}
	if held := exercise.Held(); held > 16 {
		t.Errorf("what was returned is not needed any more, and a watch may last for hours.\n"+
			"after 50,000 frames of a kilobyte the program holds %d MiB, want at most 16", held)
	}
	runtime.KeepAlive(reader)
}

// The network cuts a body anywhere. After each part the body might have been cut for good.
func TestAnyBody(t *testing.T) {
	exercise.Start(t, "frames.go", source)
	exercise.Compare(t, "the frames are the whole lines, wherever the network cuts them",
		func(dice *rand.Rand) string {
			return []string{"", "\n", "[", "1]", " [2] \n", "\n[3]\n[", "4]\n[5]\n"}[dice.IntN(7)]
		}, func(chunks []string) (rows []exercise.Row) {
			for i, chunk := range chunks {
				lines := strings.Split(strings.Join(chunks[:i+1], ""), "\n")
				end, half := io.EOF, lines[len(lines)-1]
				if half != "" {
					end = io.ErrUnexpectedEOF
				}
				whole := slices.DeleteFunc(lines[:len(lines)-1], func(line string) bool { return line == "" })
				row := exercise.Row{Step: fmt.Sprintf("%q", chunk),
					Want: fmt.Sprintf("%q, then %v", whole, end)}
				alone := &parts{slices.Clone(chunks[:i+1]), io.EOF}
				together := iotest.DataErrReader(&parts{slices.Clone(chunks[:i+1]), io.EOF})
				for _, body := range []io.Reader{alone, together} {
					reader, got, err := NewReader(body), []string{}, error(nil)
					for frame := ""; err == nil && len(got) <= len(whole); got = append(got, frame) {
						frame, err = reader.Next()
					}
					row.Got = fmt.Sprintf("%q, then %v", got[:len(got)-1], err)
					if row.Got != row.Want {
						row.Step += map[bool]string{true: " and the end, in one Read"}[body == together]
						break
					}
				}
				rows = append(rows, row)
			}
			return rows
		})
}
