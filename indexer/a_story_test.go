package indexer

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
)

// TestStories plays testdata/*.story. Read them with go test -v -run Stories ./indexer.
func TestStories(t *testing.T) {
	story.Play(t, "testdata/*.story", func(testing.TB) story.Machine { return newStage() })
}

// stage is an indexer of pods as a story sees it. The commands are listed in
// testdata/story.template. The index by node refuses the node "nowhere".
type stage struct {
	ix      *Indexer
	indices []string // in the order in which they were added
	told    []string // what the last command has caused, line by line
}

func newStage() *stage {
	s := &stage{}
	s.ix = New(Options{Trace: narrator(func(line string) { s.told = append(s.told, line) })})
	return s
}

var indexFuncs = Indexers{"node": byNode, "node-2": byNode, "version": byVersion}

func byVersion(obj watchglass.Object) ([]string, error) {
	return []string{obj.GetResourceVersion()}, nil
}

func describe(list []watchglass.Object) []string {
	words := []string{}
	for _, obj := range list {
		words = append(words, obj.GetName()+"@"+obj.GetResourceVersion())
	}
	slices.Sort(words)
	return words
}

func (s *stage) Do(c story.Command) error {
	s.told = nil
	switch c.Name {
	case "add":
		return s.withPod(c.Args(), s.ix.Add)
	case "update":
		return s.withPod(c.Args(), s.ix.Update)
	case "delete":
		return s.withPod([]string{c.Arg(0)}, s.ix.Delete)
	case "replace":
		return s.replace(c)
	case "index":
		return s.addIndex(c.Arg(0))
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

// withPod calls a method for the pod that words describe: web-1@1 node-a node-b.
func (s *stage) withPod(words []string, method func(watchglass.Object) error) error {
	obj, err := podOf(words)
	if err != nil {
		return err
	}
	s.answer(method(obj))
	return nil
}

func podOf(words []string) (watchglass.Object, error) {
	if len(words) == 0 {
		return nil, errors.New("expected a pod like web-1@7, and its nodes")
	}
	if _, _, err := story.CutVersion(words[0]); err != nil {
		return nil, err
	}
	return newPod(strings.Join(words, " ")), nil
}

// replace takes a pod and its nodes as one word: web-1@9/node-a/node-b.
func (s *stage) replace(c story.Command) error {
	var list []watchglass.Object
	for _, word := range c.Args() {
		obj, err := podOf(strings.Split(word, "/"))
		if err != nil {
			return err
		}
		list = append(list, obj)
	}
	s.answer(s.ix.Replace(list, c.Opt("rv", "90")))
	return nil
}

func (s *stage) addIndex(name string) error {
	if indexFuncs[name] == nil || slices.Contains(s.indices, name) {
		return fmt.Errorf("index %q is there already, or is not one of %q", name,
			slices.Sorted(maps.Keys(indexFuncs)))
	}
	s.indices = append(s.indices, name)
	s.answer(s.ix.AddIndexers(Indexers{name: indexFuncs[name]}))
	return nil
}

// shared changes the stored object itself, or stores it again.
func (s *stage) shared(c story.Command) error {
	obj, exists, _ := s.ix.GetByKey(c.Arg(0))
	if !exists {
		return fmt.Errorf("%q is not stored", c.Arg(0))
	}
	if c.Name == "mutate" {
		obj.(*pod).nodes = c.Args()[1:]
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
