package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func framesOf(r io.Reader, limit int) *frames {
	return &frames{cutter{r: r, limit: limit, what: "frame"}}
}

// cutAll returns the frames of r up to the first one that is not JSON, and the error after them.
func cutAll(r io.Reader) (all []string, err error) {
	f := framesOf(r, reflector.ObjectLimit)
	for {
		data, err := await(f)
		if err != nil {
			return all, err
		}
		for _, r := range appendDecoded(nil, nil, asJSON, data) {
			if r.err != nil {
				return all, r.err
			}
			all = append(all, r.value)
		}
	}
}

func asJSON(_ *decoder, data []byte) (string, error) {
	return string(data), json.Unmarshal(data, new(any))
}

// decoded is the model: the JSON objects that json.Decoder finds at the beginning of data.
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

// FuzzFrames compares the reader with json.Decoder, on a stream of valid objects. On any stream,
// nothing may panic, and the way in which the bytes arrive must not matter. Two sound frames after
// any stream must end the waiting for its last frame.
func FuzzFrames(f *testing.F) {
	for _, seed := range []string{
		"", " \r\n\t", "{}\n{\"a\":1}\n", `{}{"a":1}`, "{\n\"a\":\n1}",
		"{\"a\" :\t{ \"b\":\r\n[ {} ,\n {} ] } }", `{"a":{"b":{}}}{}`, `{"}{":"}"}{}`,
		`{"a":"\"}"}{}`, `{"a":"\\"}{}`, `{"a":"\\\"}"}{}`, `{}{"a":`, `{"a":"`, `{"a":"\`,
		"[]", `{"a":[{},`, `{"a":{{{`, `{"a":tr`, `{"a":true}}`, `{"é":"\u007b"}`, `{"a":[1,2],"b":null}{}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		want, wantErr := cutAll(bytes.NewReader(data))
		for name, arrive := range arrivals {
			got, err := cutAll(arrive(bytes.NewReader(data)))
			assert.Equal(t, want, got, name)
			assert.Equal(t, wantErr == io.EOF, err == io.EOF, name)
		}
		for _, between := range []string{"\n", ""} {
			two := strings.Repeat(between+event(reflector.Added, "web-1@5"), 2)
			_, err := cutAll(strings.NewReader(string(data) + two))
			assert.NotErrorIs(t, err, io.ErrUnexpectedEOF)
		}
		for i, object := range decoded(data) {
			require.Less(t, i, len(want), "json.Decoder finds one frame more")
			assert.Equal(t, object, want[i])
		}
	})
}

func TestFramesMayBeWrittenInAnyForm(t *testing.T) {
	pretty := "{\n  \"a\": {\n    \"b\": [\n{\n}\n,\n{}\n]\n  }\n}"
	text := `{"a":"}\n{}{","b":{}}` // the line break is escaped, as in all JSON strings
	want := []string{`{}`, text, pretty, text, pretty, `{}`}
	for law, between := range map[string][]string{
		"each on a line":                    {"\n"},
		"each on a line with two ends":      {"\r\n"},
		"without line breaks":               {""},
		"with spaces between them":          {" ", " \n \n "},
		"with line breaks after some":       {"", "\n"},
		"with line breaks after most":       {"\n", "\n", "\n", ""},
		"in pairs that are not separate":    {"\n", "", "", "\n", " "},
		"with a line break before the next": {" \n", "\n "},
	} {
		t.Run(law, func(t *testing.T) {
			var stream string
			for i, frame := range want {
				stream += frame + between[i%len(between)]
			}
			for n := range len(stream) {
				got, err := cutAll(io.MultiReader(strings.NewReader(stream[:n]), strings.NewReader(stream[n:])))
				require.Equal(t, io.EOF, err)
				require.Equal(t, want, got, "when %d bytes have arrived", n)
			}
		})
	}
}

func TestTheEndOfAStream(t *testing.T) {
	reset := errors.New("connection reset")
	for law, c := range map[string]struct {
		in   io.Reader
		want error
	}{
		"between two frames is orderly": {strings.NewReader("{} \n"), io.EOF},
		"inside a frame is not":         {strings.NewReader(`{}{"a":`), io.ErrUnexpectedEOF},
		"by an error is that error":     {broken(`{}{"a"`, reset), reset},
		"may come together with data":   {iotest.DataErrReader(broken("{}", reset)), reset},
	} {
		t.Run(law, func(t *testing.T) {
			got, err := cutAll(c.in)
			assert.Equal(t, []string{"{}"}, got, "what was complete before is returned")
			assert.Equal(t, c.want, err)
		})
	}
}

func broken(data string, err error) io.Reader {
	return io.MultiReader(strings.NewReader(data), iotest.ErrReader(err))
}

func TestTheLimit(t *testing.T) {
	object := func(size int) string { return `{"a":"` + strings.Repeat("x", size-8) + `"}` }
	t.Run("is exact for a frame", func(t *testing.T) {
		f := framesOf(strings.NewReader(object(100)+object(101)+object(102)), 101)
		for range 2 {
			_, err := await(f)
			require.NoError(t, err)
			assert.LessOrEqual(t, cap(f.buf), 101, "no more than the limit is ever buffered")
		}
		_, err := await(f)
		assert.Equal(t, &reflector.TooLargeError{What: "frame", Limit: 101}, err)
	})
	t.Run("is exact for whitespace between frames", func(t *testing.T) {
		for spaces, want := range map[int]error{
			101: nil, 102: &reflector.TooLargeError{What: "whitespace", Limit: 101},
		} {
			gap := "{}" + strings.Repeat(" ", spaces)
			f := framesOf(io.MultiReader(strings.NewReader("{} {}"), strings.NewReader(gap),
				strings.NewReader("{}")), 101)
			for range 3 {
				_, err := await(f)
				require.NoError(t, err)
			}
			_, err := await(f)
			assert.Equal(t, want, err, "%d bytes of whitespace", spaces)
		}
	})
}

func TestTheBuffer(t *testing.T) {
	object := func(size int) string { return `{"a":"` + strings.Repeat("x", size-8) + `"}` }
	// sizes are those of the buffer after each frame, where each part arrives when it is asked for.
	sizes := func(parts ...string) (sizes []int) {
		var arrives []io.Reader
		for _, part := range parts {
			arrives = append(arrives, strings.NewReader(part))
		}
		f := framesOf(io.MultiReader(arrives...), 1<<21)
		for {
			if _, err := await(f); err != nil {
				assert.Equal(t, io.EOF, err)
				return slices.Compact(sizes)
			}
			sizes = append(sizes, cap(f.buf))
		}
	}
	t.Run("grows while Reads fill it, and is small again when one does not", func(t *testing.T) {
		waits := strings.Repeat(object(readBuffer/8), 60)
		assert.Equal(t, []int{readBuffer, 2 * readBuffer, keepBuffer, readBuffer},
			sizes(waits, "{}", "{}"))
	})
	t.Run("holds a large value exactly, and not for longer than it is used", func(t *testing.T) {
		large := object(2 * keepBuffer)
		assert.Equal(t, []int{2 * keepBuffer, readBuffer}, sizes(large, "{}"))
	})
	t.Run("is kept while busy", func(t *testing.T) {
		one := object(1 << 10)
		f := framesOf(&endless{head: one, pattern: one}, 1<<21)
		var buffer *byte
		for n := range 9999 {
			_, err := await(f)
			require.NoError(t, err)
			if n == 999 {
				buffer = &f.buf[0]
			}
		}
		assert.Same(t, buffer, &f.buf[0])
	})
}

// A string may consist of nothing but escapes: a log in a ConfigMap nearly does, and a hostile
// server can send one. If the reader looked at all bytes that follow for each escape, or again at
// those it has seen, this test would take many seconds.
func TestEscapesAndSmallPiecesCostNoMoreThanOtherBytes(t *testing.T) {
	var s scanner
	s.find([]byte(`{"x":"1234`))
	assert.Equal(t, 10, s.at, "the bytes of a string are looked at once")
	frame := `{"x":"` + strings.Repeat(`\n\"`, 1<<16) + `\\"}`
	for name, arrive := range arrivals {
		got, err := cutAll(arrive(strings.NewReader(frame + "\n" + frame[:len(frame)-2])))
		require.Len(t, got, 1, name)
		assert.Len(t, got[0], len(frame))
		assert.Equal(t, io.ErrUnexpectedEOF, err, "without its last quote it has no end: "+name)
	}
}
