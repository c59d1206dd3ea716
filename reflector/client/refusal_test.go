package client

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
)

// A proxy, or the path of an unknown resource, answers with a code and no reason.
func TestWithoutAReasonTheCodeCounts(t *testing.T) {
	for code, is := range map[int]func(error) bool{409: IsConflict, 404: IsNotFound} {
		assert.True(t, is(fmt.Errorf("put: %w", &reflector.StatusError{Code: code})), code)
		assert.False(t, is(&reflector.StatusError{Code: code, Reason: "Other"}), code)
		assert.False(t, is(&reflector.StatusError{Code: 500}), code)
	}
	assert.False(t, IsAlreadyExists(&reflector.StatusError{Code: 409}), "it may be a conflict")
	assert.False(t, IsAlreadyExists(&reflector.StatusError{}), "it gives neither")
	assert.False(t, IsConflict(errors.New("409 Conflict")))
}

// An error is logged, and may be kept for long, so it must not be as large as what is wrong.
func TestAnErrorHasTwoHundredBytesOfAResponse(t *testing.T) {
	many := strings.Repeat("é", 50<<10)
	number := strings.Repeat("7", 100<<10)
	broken := func(code int, mediaType, body string) string {
		return fmt.Sprintf("HTTP/1.1 %d X\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
			code, mediaType, len(body), body)
	}
	const isJSON = "application/json"
	refused := `{"kind":"Status","reason":"` + many[:9<<10] + `","message":"` + many[:9<<10] + `"}`
	for law, text := range map[string]string{
		"a status line":              "HTTP/1.1 " + many + "\r\n\r\n",
		"a header":                   "HTTP/1.1 200 OK\r\n" + many + "\r\n\r\n",
		"a media type":               broken(200, "x/"+number, ""),
		"the media type of a page":   broken(502, "x/"+number, "x"),
		"a trailer":                  stream() + "0\r\n" + many[:2<<10] + "\r\n\r\n",
		"a page":                     broken(200, isJSON, "<"+many),
		"a sentence":                 broken(403, "text/plain", many),
		"a page of a proxy":          broken(502, "text/"+many, many),
		"a Status":                   broken(403, isJSON, refused),
		"where a redirect leads":     "HTTP/1.1 307 X\r\nLocation: http://[" + many + "\r\n\r\n",
		"a number":                   broken(200, isJSON, `{"items":[],"metadata":{"continue":`+number+`}}`),
		"a kind":                     broken(200, isJSON, `{"kind":"`+many+`"}`),
		"the kind of a list":         broken(200, isJSON, `{"kind":"`+many+`List","items":[{"metadata":{"name":"a"}}]}`),
		"the version of an item":     broken(200, isJSON, `{"items":[{"metadata":{"resourceVersion":"`+many+`"}}]}`),
		"the kind of an item":        broken(200, isJSON, `{"items":[{"kind":"`+many+`","metadata":{"name":"a"}}]}`),
		"the type of an event":       broken(200, isJSON, `{"type":"`+many+`","object":{}}`),
		"the version of an event":    broken(200, isJSON, `{"type":"ADDED","object":{"metadata":{"resourceVersion":"`+many+`"}}}`),
		"an ERROR event":             broken(200, isJSON, `{"type":"ERROR","object":`+refused+`}`),
		"an ERROR event without one": broken(200, isJSON, `{"type":"ERROR","object":"`+many+`"}`),
		"a long ERROR event":         broken(200, isJSON, `{"type":"ERROR","object":{"kind":"Status","message":"`+many+`"}}`),
		"a number in an event":       broken(200, isJSON, `{"type":"ADDED","object":{"metadata":`+number+`}}`),
		"a number in a bookmark":     broken(200, isJSON, `{"type":"BOOKMARK","object":{"metadata":{"name":`+number+`}}}`),
		"a number in an answer":      broken(200, isJSON, `{"metadata":{"name":"a","generation":`+number+`},"spec":{"size":`+number+`}}`),
		"a time in an answer":        broken(200, isJSON, `{"metadata":{"creationTimestamp":"`+many+`"}}`),
		"the kind of an answer":      broken(200, isJSON, `{"kind":"`+many+`","metadata":{"name":"a"}}`),
		"an answer without a name":   broken(200, isJSON, `{"kind":"`+many+`"}`),
	} {
		bubble(t, law, func(t *testing.T) {
			network := newServer(slices.Repeat([]reply{raw(text)}, 6)...).client(t).opts.HTTPClient
			errs := append(errorsOf[widget](t, network), errorsOf[watchglass.Unstructured](t, network)...)
			assert.NotEmpty(t, errs, "a client reads it")
			for _, text := range errs { // only the responses have é and 7, which are two bytes and one
				assert.LessOrEqual(t, 2*strings.Count(text, "é")+strings.Count(text, "7"), 200, text)
				assert.Less(t, len(text), 500)
			}
		})
	}
}

func TestAWriteThatIsRedirectedHasLittleOfTheURL(t *testing.T) {
	bubble(t, "in its error", func(t *testing.T) {
		to := "HTTP/1.1 302 X\r\nLocation: /" + strings.Repeat("7", 9999) + "\r\n\r\n"
		_, err := newServer(raw(to), okJSON(`{}`)).client(t).Create(t.Context(), &widget{})
		assert.ErrorContains(t, err, "redirected and became a GET of http://server/777")
		assert.Less(t, len(err.Error()), 500)
	})
}

func TestADocumentThatIsLongerThanAnyStatusIsNone(t *testing.T) {
	document := `{"kind":"Status","details":{"name":"` + strings.Repeat("n", refusalSize)
	for more, want := range []bool{true, false} {
		_, ok := status([]byte(document[:refusalSize-3+more] + `"}}`))
		assert.Equal(t, want, ok, "its details would be kept with the error")
	}
}

func TestAnErrorOfTwoHundredBytesIsNotCut(t *testing.T) {
	err := errors.New(strings.Repeat("x", quoted))
	assert.Same(t, err, shortened(err))
	assert.Equal(t, err.Error(), beginning(err.Error(), quoted))
}

// errorsOf returns the texts of the errors of a list, a watch and a write.
func errorsOf[T any, P objectPointer[T]](t *testing.T, network *http.Client) (texts []string) {
	c, err := New[T, P](Options{URL: "http://server/w", HTTPClient: network, Kind: "Widget"})
	require.NoError(t, err)
	_, listed := c.List(t.Context(), reflector.ListOptions{})
	watch, watched := c.Watch(t.Context(), reflector.ListOptions{})
	if watched == nil {
		_, watched = watch.Next()
		_ = watch.Close()
	}
	_, written := c.Create(t.Context(), new(T))
	for _, err := range []error{listed, watched, written} {
		if err != nil {
			texts = append(texts, err.Error())
		}
	}
	return texts
}

func TestTheWaitThatARefusalAsksFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the clock of a bubble stands at the beginning of 2000
		wait := func(header, body string) time.Duration {
			status, _ := errors.AsType[*reflector.StatusError](check(&http.Response{StatusCode: 429,
				Header: http.Header{"Retry-After": {header}}, Body: io.NopCloser(strings.NewReader(body))}))
			return status.RetryAfter
		}
		for value, want := range map[string]time.Duration{
			"7": 7 * time.Second, "Sat, 01 Jan 2000 00:01:00 GMT": time.Minute, "soon": 0, "-5": 0,
			"Fri, 31 Dec 1999 12:01:00 GMT": 0, "9223372036854775807": 1 << 30 * time.Second,
		} {
			assert.Equal(t, want, wait(value, ""), value)
		}
		for header, want := range map[string]time.Duration{"": 5, "2": 5, "7": 7} {
			const body = `{"kind":"Status","details":{"retryAfterSeconds":5}}`
			assert.Equal(t, want*time.Second, wait(header, body),
				"the longer of 5 s in the body and %q", header)
		}
	})
}
