package indexer

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/watchglass"
	"example.com/watchglass/docs/story"
)

// stage is an indexer of pods as a story sees it:
//
//	add web-1@1 node-a …    its nodes are its values in the index "node"; also update, delete
//	mutate web-1 node-b …   changes the stored object in place, without an update
//	update-same web-1       an update with the stored object itself
//	replace web-1@9/node-a  the list is the new content
//	index node|version      adds an index; node-2 is a second one by node
//	by node node-a          finds objects by a value
//
// The index by node refuses the node "nowhere".
type stage struct {
	ix      *Indexer
	indices []string // in the order in which they were added
	told    []string // what the last command made happen
}

func newStage() *stage {
	s := &stage{}
	s.ix = New(Options{Trace: narrator(func(line string) { s.told = append(s.told, line) })})
	return s
}

var indexFuncs = Indexers{"node": byNodeOrNowhere, "node-2": byNodeOrNowhere, "version": byVersion}

func byNodeOrNowhere(values []string, obj watchglass.Object) ([]string, error) {
	nodes := obj.(*pod).nodes
	if slices.Contains(nodes, "nowhere") {
		return nil, errors.New("there is no such node")
	}
	return append(values, nodes...), nil
}

func (s *stage) Do(c story.Command) error {
	s.told = nil
	switch c.Name {
	case "add":
		s.answer(s.ix.Add(newPod(strings.Join(c.Args, " "))))
	case "update":
		s.answer(s.ix.Update(newPod(strings.Join(c.Args, " "))))
	case "delete":
		s.answer(s.ix.Delete(newPod(c.Arg(0))))
	case "replace":
		s.answer(s.ix.Replace(pods(slashed(c.Args)...), c.Opt("rv", "90")))
	case "index":
		s.indices = append(s.indices, c.Arg(0))
		s.answer(s.ix.AddIndexers(Indexers{c.Arg(0): indexFuncs[c.Arg(0)]}))
	case "by":
		found, err := s.ix.ByIndex(c.Arg(0), c.Arg(1))
		s.answer(err)
		s.told = append(s.told, fmt.Sprintf("found %v", describe(found)))
	case "mutate", "update-same":
		return s.shared(c)
	default:
		return c.Unknown()
	}
	return nil
}

// shared changes the stored object itself, or stores it again.
func (s *stage) shared(c story.Command) error {
	obj, exists, _ := s.ix.GetByKey(c.Arg(0))
	if !exists {
		return fmt.Errorf("%s is not stored", c.Arg(0))
	}
	if c.Name == "mutate" {
		obj.(*pod).nodes = c.Args[1:]
		return nil
	}
	s.answer(s.ix.Update(obj))
	return nil
}

func (s *stage) answer(err error) {
	if err != nil {
		s.told = append(s.told, "error: "+err.Error())
	}
}

func slashed(args []string) []string {
	var words []string
	for _, arg := range args {
		words = append(words, strings.ReplaceAll(arg, "/", " "))
	}
	return words
}

func (s *stage) State() string {
	var b strings.Builder
	for _, line := range s.told {
		fmt.Fprintln(&b, line)
	}
	fmt.Fprintln(&b, "items")
	for _, key := range slices.Sorted(slices.Values(s.ix.ListKeys())) {
		obj, _, _ := s.ix.GetByKey(key)
		fmt.Fprintf(&b, "  %s@%s on %v\n", key, obj.GetResourceVersion(), obj.(*pod).nodes)
	}
	for _, name := range s.indices {
		fmt.Fprintf(&b, "index %s\n", name)
		for _, line := range lines(s.ix, name) {
			fmt.Fprintln(&b, "  "+line)
		}
	}
	return b.String()
}
