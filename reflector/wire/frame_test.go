package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// arrivals are ways in which a reader may hand over its bytes.
var arrivals = map[string]func(io.Reader) io.Reader{
	"all at once":    func(r io.Reader) io.Reader { return r },
	"byte by byte":   iotest.OneByteReader,
	"half at a time": iotest.HalfReader,
	"end with data":  iotest.DataErrReader,
}

// frames returns the frames of r and the error after the last one.
func frames(r io.Reader) (got []string, err error) {
	f := NewFrameReader(r)
	for {
		frame, err := f.Next()
		if err != nil {
			return got, err
		}
		got = append(got, string(frame))
	}
}

func TestFrames(t *testing.T) {
	for _, c := range []struct {
		says string
		in   string
		want []string
		err  error
	}{
		{"an empty stream has no frame", "", nil, io.EOF},
		{"a stream of whitespace has no frame", " \r\n\t", nil, io.EOF},
		{"a newline may follow a frame", "{}\n{\"a\":1}\n", []string{"{}", `{"a":1}`}, io.EOF},
		{"no newline is needed", `{}{"a":1}`, []string{"{}", `{"a":1}`}, io.EOF},
		{"a newline inside is part of the frame", "{\n\"a\":\n1}", []string{"{\n\"a\":\n1}"},
			io.EOF},
		{"whitespace before a brace means nothing", "{\"a\" :\t{ \"b\":\r\n[ {} ,\n {} ] } }",
			[]string{"{\"a\" :\t{ \"b\":\r\n[ {} ,\n {} ] } }"}, io.EOF},
		{"braces nest", `{"a":{"b":{}}}{}`, []string{`{"a":{"b":{}}}`, "{}"}, io.EOF},
		{"braces in strings do not count", `{"}{":"}"}{}`, []string{`{"}{":"}"}`, "{}"}, io.EOF},
		{"a quote after a backslash does not end the string", `{"a":"\"}"}{}`,
			[]string{`{"a":"\"}"}`, "{}"}, io.EOF},
		{"a backslash after a backslash escapes nothing", `{"a":"\\"}{}`,
			[]string{`{"a":"\\"}`, "{}"}, io.EOF},
		{"half a frame is not an orderly end", `{}{"a":`, []string{"{}"}, io.ErrUnexpectedEOF},
		{"half a string is not an orderly end", `{"a":"`, nil, io.ErrUnexpectedEOF},
		{"half an escape is not an orderly end", `{"a":"\`, nil, io.ErrUnexpectedEOF},
	} {
		for name, arrive := range arrivals {
			got, err := frames(arrive(strings.NewReader(c.in)))
			assert.Equal(t, c.want, got, "%s (%s)", c.says, name)
			assert.Equal(t, c.err, err, "%s (%s)", c.says, name)
		}
	}
}

func TestNoFrame(t *testing.T) {
	const says = "anything but an object is refused at its first byte, with a short quote of it"
	for _, in := range []string{
		"<html><body>", "[]", `"text"`, "null", "]", "}", "\x00\x01", strings.Repeat("x", 1<<20),
	} {
		for name, arrive := range arrivals {
			got, err := frames(arrive(strings.NewReader("{} " + in)))
			assert.Equal(t, []string{"{}"}, got, says)
			bad, ok := errors.AsType[*reflector.DecodeError](err)
			if assert.True(t, ok, "%s: %v (%s)", says, err, name) {
				assert.Contains(t, bad.Error(), "want a JSON object, have something that begins")
				assert.Less(t, len(bad.Error()), 250, says)
			}
		}
	}
}

// A server, or a proxy in between, may break off in the middle of a frame and go on with the next.
// If the reader waited for the end of such a frame, it would return no event until the watch times
// out.
func TestBrokenOffFrame(t *testing.T) {
	const whole = `{"type":"ADDED","object":{"metadata":{"name":"}\\"},"a":[{},true,2],"c":1}}` + "\n"
	for end := 1; end < len(whole)-1; end++ {
		in := whole + whole[:end] + "\n" + whole + whole
		for name, arrive := range arrivals {
			f := NewFrameReader(io.MultiReader(arrive(strings.NewReader(in)), stuck{}))
			frame, err := f.Next()
			require.NoError(t, err)
			require.Equal(t, whole, string(frame)+"\n", "a frame before the broken one is whole")
			frame, err = f.Next()
			require.NoError(t, err, "%q is returned after two more frames at most (%s)",
				whole[:end], name)
			_, err = DecodeEvent[widget](frame)
			_, ok := errors.AsType[*reflector.DecodeError](err)
			assert.True(t, ok, "%q is refused: %v (%s)", frame, err, name)
		}
	}
}

func TestErrorsStay(t *testing.T) {
	f := NewFrameReader(strings.NewReader(`x{}{}`))
	_, first := f.Next()
	require.Error(t, first)
	_, second := f.Next()
	assert.Equal(t, first, second, "after an error all further calls return the same error")

	broken := errors.New("connection reset")
	f = NewFrameReader(io.MultiReader(strings.NewReader(`{}{"a"`), iotest.ErrReader(broken)))
	_, err := f.Next()
	require.NoError(t, err, "a frame that was complete before the connection broke is returned")
	_, err = f.Next()
	assert.Equal(t, broken, err, "the error of the connection is returned as it is")

	f = NewFrameReader(iotest.DataErrReader(iotest.TimeoutReader(strings.NewReader("{}"))))
	_, err = f.Next()
	require.NoError(t, err, "an error that comes together with data is returned after the data")

	f = NewFrameReader(stuck{})
	_, err = f.Next()
	assert.Equal(t, io.ErrNoProgress, err, "a reader that always returns nothing is given up")
}

func TestLastBytesComeWithTheirError(t *testing.T) {
	broken := errors.New("connection reset")
	f := NewFrameReader(&relapsing{err: broken})
	_, err := f.Next()
	require.NoError(t, err)
	_, err = f.Next()
	assert.Equal(t, broken, err, "after an error there is no further Read, even if it would succeed")
}

// relapsing returns a frame together with an error, again and again.
type relapsing struct{ err error }

func (r *relapsing) Read(p []byte) (int, error) { return copy(p, "{}"), r.err }

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// endless returns head and then pattern again and again, and counts the bytes that were read.
type endless struct {
	head, pattern string
	taken         int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.taken == 0 {
		e.taken = copy(p, e.head)
		return e.taken, nil
	}
	for i := range p {
		p[i] = e.pattern[(e.taken+i)%len(e.pattern)]
	}
	e.taken += len(p)
	return len(p), nil
}

func TestLimit(t *testing.T) {
	for _, c := range []struct{ says, head, pattern string }{
		{"an endless string is given up at the limit", `{"a":"`, "x"},
		{"an object that never closes is given up at the limit", `{`, `{"a":`},
		{"endless whitespace between frames is given up at the limit", "\n", "\n"},
		{"endless whitespace inside a frame is given up at the limit", "{", " "},
	} {
		in := &endless{head: c.head, pattern: c.pattern}
		f := newFrameReader(in, 1<<16)
		_, err := f.Next()
		large, ok := errors.AsType[*reflector.TooLargeError](err)
		if assert.True(t, ok, "%s: %v", c.says, err) {
			assert.Equal(t, 1<<16, large.Limit, c.says)
		}
		assert.LessOrEqual(t, in.taken, 1<<16+readBuffer, c.says)
		assert.Nil(t, f.buf, "after an error the buffer is dropped: %s", c.says)
	}
}

func TestLimitIsExact(t *testing.T) {
	object := func(size int) string { return `{"a":"` + strings.Repeat("x", size-8) + `"}` }
	f := NewFrameReader(strings.NewReader(object(100) + object(101) + object(102)))
	assert.Equal(t, 16<<20, f.limit, "16 MiB, as in client-go")
	f.limit = 101
	for range 2 {
		_, err := f.Next()
		require.NoError(t, err, "a frame of exactly the limit is returned")
		assert.LessOrEqual(t, len(f.buf), 101, "no more than the limit is ever buffered")
	}
	_, err := f.Next()
	assert.Equal(t, &reflector.TooLargeError{What: "frame", Limit: 101}, err,
		"a frame of one byte more than the limit is refused")
}

func TestLimitOfWhitespaceIsExact(t *testing.T) {
	for spaces, want := range map[int]error{
		101: nil, 102: &reflector.TooLargeError{What: "whitespace", Limit: 101},
	} {
		in := io.MultiReader(strings.NewReader(strings.Repeat(" ", spaces)), strings.NewReader("{}"))
		_, err := newFrameReader(in, 101).Next()
		assert.Equal(t, want, err, "%d bytes of whitespace", spaces)
	}
}

func TestUsualBufferIsKept(t *testing.T) {
	frame := `{"a":"` + strings.Repeat("x", keepBuffer-100) + `"}`
	f := NewFrameReader(io.MultiReader(strings.NewReader(frame), strings.NewReader("{}")))
	for range 2 {
		_, err := f.Next()
		require.NoError(t, err)
	}
	assert.Len(t, f.buf, keepBuffer, "a buffer of up to keepBuffer bytes is used again")
}

func TestBigBufferIsGivenBack(t *testing.T) {
	big := `{"a":"` + strings.Repeat("x", 4*keepBuffer) + `"}`
	r, w := io.Pipe()
	go func() { // ends with the pipe
		fmt.Fprint(w, big)
		fmt.Fprint(w, "{}")
		w.Close()
	}()
	f := NewFrameReader(r)
	for range 2 {
		_, err := f.Next()
		require.NoError(t, err)
	}
	assert.LessOrEqual(t, len(f.buf), keepBuffer,
		"a buffer of more than keepBuffer bytes is dropped after its frame")
	_, err := f.Next()
	assert.Equal(t, io.EOF, err)
}

// A string may consist of nothing but escapes: a log in a ConfigMap nearly does, and a hostile
// server can send one. If the reader looked at all bytes that follow for each escape, this test
// would take minutes.
func TestEscapesCostNoMoreThanOtherBytes(t *testing.T) {
	frame := `{"x":"` + strings.Repeat(`\n`, 4<<20) + `\\"}`
	f := NewFrameReader(strings.NewReader(frame + "\n" + frame[:len(frame)-2]))
	got, err := f.Next()
	require.NoError(t, err)
	assert.Len(t, got, len(frame), "a quote after an escaped backslash ends the string")
	_, err = f.Next()
	assert.EqualError(t, err, "unexpected EOF", "without that quote the frame has no end")
}

// FuzzFrames compares the reader with the standard library: it must cut a stream of valid JSON
// objects as json.Decoder does. Nothing may panic, and the way in which the bytes arrive must not
// matter. Two sound frames after any stream must end the waiting for its last frame.
func FuzzFrames(f *testing.F) {
	for _, seed := range []string{
		"", "{}", `{"a":"\"}"} {"b":{}}`, "{\n}\n", `{"a":"`, "[]", `{"a":"\\"}{`, `{"é":"\u007b"}`,
		`{"a":`, `{"a":"\`, `{"a":[{},`, `{"a":{{{`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		want, wantErr := frames(bytes.NewReader(data))
		for name, arrive := range arrivals {
			got, err := frames(arrive(bytes.NewReader(data)))
			assert.Equal(t, want, got, name)
			assert.Equal(t, errors.Is(wantErr, io.EOF), errors.Is(err, io.EOF), name)
		}
		two := strings.Repeat("\n"+event(reflector.Added, "web-1@5"), 2)
		_, err := frames(strings.NewReader(string(data) + two))
		assert.NotErrorIs(t, err, io.ErrUnexpectedEOF,
			"two sound frames end the waiting for the end of a broken one")
		for i, model := range decoded(data) {
			require.Less(t, i, len(want), "json.Decoder finds one frame more")
			assert.Equal(t, model, want[i])
		}
	})
}

// decoded are the JSON objects that json.Decoder finds at the beginning of data.
func decoded(data []byte) (objects []string) {
	dec := json.NewDecoder(bytes.NewReader(data))
	for {
		var raw json.RawMessage
		if dec.Decode(&raw) != nil || raw[0] != '{' {
			return objects
		}
		objects = append(objects, string(raw))
	}
}
