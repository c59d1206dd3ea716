package realfifo

import (
	"fmt"
	"strings"

	"github.com/stretchr/testify/require"

	"example.com/watchglass"
	"example.com/watchglass/deltafifo"
)

// object returns an object without a namespace, so that its name is its key.
func object(name, resourceVersion string) *watchglass.ObjectMeta {
	return &watchglass.ObjectMeta{Name: name, ResourceVersion: resourceVersion}
}

// describe returns a delta with its objects: "web-1 Added@7", "ReplacedAll@90 [web-1@7]".
func describe(d deltafifo.Delta) string {
	if info, ok := d.Object.(ReplacedAllInfo); ok {
		return fmt.Sprint(d, " ", versions(info.Objects))
	}
	return strings.Trim(d.Object.GetName()+" "+d.String(), " @")
}

func describeAll(deltas deltafifo.Deltas) []string {
	words := []string{}
	for _, d := range deltas {
		words = append(words, describe(d))
	}
	return words
}

func versions(list []watchglass.Object) []string {
	words := []string{}
	for _, obj := range list {
		words = append(words, obj.GetName()+"@"+obj.GetResourceVersion())
	}
	return words
}

// queued returns the whole queue.
func queued(f *RealFIFO) []string {
	return append(describeAll(f.backlog.out[f.backlog.head:]), describeAll(f.backlog.in)...)
}

// check fails if the length is wrong, or if a free slot keeps an object alive.
func check(t require.TestingT, f *RealFIFO) {
	b := &f.backlog
	require.Equal(t, b.len(), f.Len(), "length")
	for _, d := range append(b.out[:b.head:b.head], b.in[len(b.in):cap(b.in)]...) {
		require.Nil(t, d.Object, "in a free slot")
	}
}
