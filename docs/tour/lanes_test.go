package main

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPlacing(t *testing.T) {
	list, watch := mark{lane: reflecting, text: "list"}, mark{lane: reflecting, text: "watch"}
	of := func(l lane, object string) mark { return mark{lane: l, object: object, text: object} }
	cases := []struct {
		law   string
		marks []mark
		rows  []int
	}{
		{"an object on its way to the right stays in its row",
			[]mark{of(apiServer, "a"), of(reflecting, "a"), of(queueing, "a")}, []int{0, 0, 0}},
		{"a lane keeps the order of reports, whatever they are about",
			[]mark{of(queueing, "a"), of(queueing, "b"), of(queueing, "a")}, []int{0, 1, 2}},
		{"what is caused to the left stands below its cause",
			[]mark{of(handling, "a"), of(apiServer, "a")}, []int{0, 1}},
		{"what an object causes stands no higher than the object",
			[]mark{of(indexing, "b"), of(indexing, "a"), of(handling, "a")}, []int{0, 1, 1}},
		{"objects that have nothing to do with each other may share a row",
			[]mark{of(indexing, "a"), of(apiServer, "b")}, []int{0, 0}},
		{"the objects of a list stand no higher than the list",
			[]mark{watch, list, of(queueing, "a")}, []int{0, 1, 1}},
		{"question and answer, which are about no object, go downwards",
			[]mark{watch, list, {lane: apiServer, text: "GET"}, watch}, []int{0, 1, 1, 2}},
	}
	for _, c := range cases {
		assert.Equal(t, c.rows, place(c.marks), c.law)
	}
}

func TestPictureDrawsArrowsForOneObjectOnly(t *testing.T) {
	lines := newPicture(100, ink{}).draw([]mark{
		{lane: apiServer, object: "web-1", text: "web-1"},
		{lane: reflecting, object: "web-1", text: "web-1"},
		{lane: queueing, object: "db-1", text: "db-1"},
	})
	require.Len(t, lines, 1)
	assert.Equal(t, " web-1 ────────▶ web-1         │ db-1", lines[0][:strings.Index(lines[0], "db-1")+4])
}

func TestPictureFitsItsColumns(t *testing.T) {
	var marks []mark
	for l := range lanes {
		marks = append(marks, mark{lane: l, object: "o",
			text: "update some-deployment-with-a-long-name-5d5756b68-abcde @1234567890123"})
	}
	for columns := fewestColumns; columns <= mostColumns; columns++ {
		p := newPicture(columns, ink{})
		for _, line := range append(p.header(), p.draw(marks)...) {
			assert.LessOrEqual(t, utf8.RuneCountInString(line), columns, line)
		}
	}
}

func TestLongPicturesLeaveOutTheMiddleAndSaySo(t *testing.T) {
	var marks []mark
	for i := range 1000 {
		marks = append(marks, mark{lane: queueing, text: fmt.Sprint("n", i)})
	}
	lines := newPicture(100, ink{}).draw(marks)
	assert.Len(t, lines, mostRows+1)
	assert.Contains(t, lines[0], " n0 ")
	assert.Contains(t, lines[mostRows/2], fmt.Sprintf("%d more rows", 1000-mostRows))
	assert.Contains(t, lines[mostRows], " n999 ")
	assert.Len(t, newPicture(100, ink{}).draw(marks[:mostRows]), mostRows,
		"nothing is left out where everything fits")
}

func TestWrap(t *testing.T) {
	cases := []struct {
		law, text string
		lines     []string
	}{
		{"what fits stays in one line", "pop web-1", []string{"pop web-1"}},
		{"breaks are between words, what follows is indented", "web-2: Deleted@7",
			[]string{"web-2:", " Deleted@7"}},
		{"the middle of an endless word goes, as names differ at both ends",
			"coredns-5d5756b68-abcde", []string{"core…abcde"}},
		{"nothing is one empty line", "", []string{""}},
	}
	for _, c := range cases {
		got := wrap(c.text, 11)
		assert.Equal(t, c.lines, got, c.law)
	}
}
