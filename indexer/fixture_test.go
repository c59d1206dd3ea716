package indexer

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/watchglass"
)

// pod is an object with something to index: the nodes on which it runs. Usually there is one, but
// an index must also handle none and many.
type pod struct {
	watchglass.ObjectMeta
	nodes []string
}

// newPod makes a pod of a word like "web-1@7 a b": name, version, nodes.
func newPod(word string) *pod {
	fields := strings.Fields(word)
	name, version, _ := strings.Cut(fields[0], "@")
	meta := watchglass.ObjectMeta{Name: name, ResourceVersion: version}
	if namespace, rest, namespaced := strings.Cut(name, "/"); namespaced {
		meta.Namespace, meta.Name = namespace, rest
	}
	return &pod{meta, fields[1:]}
}

func pods(words ...string) []watchglass.Object {
	var list []watchglass.Object
	for _, word := range words {
		list = append(list, newPod(word))
	}
	return list
}

// byNodeBut is an index by node that refuses pods on one node, and panics at pods on another one.
func byNodeBut(refused, panics string) IndexFunc {
	var own []string // it is used again in the next call, which an IndexFunc may do
	return func(obj watchglass.Object) ([]string, error) {
		own = append(own[:0], obj.(*pod).nodes...)
		switch {
		case slices.Contains(own, panics):
			panic("on node " + panics)
		case slices.Contains(own, refused):
			return own, errNoNode
		}
		return own, nil
	}
}

var errNoNode = errors.New("there is no such node")

var byNode = byNodeBut("nowhere", "-")

func nodeOnly() Options { return Options{Indexers: Indexers{"node": byNode}} }

// narrator returns a trace that reports everything.
func narrator(say func(line string)) *Trace {
	return &Trace{
		Added: func(key string, obj watchglass.Object) {
			say(fmt.Sprintf("added %s@%s", key, obj.GetResourceVersion()))
		},
		Updated: func(key string, oldObj, newObj watchglass.Object) {
			say(fmt.Sprintf("updated %s@%s to @%s",
				key, oldObj.GetResourceVersion(), newObj.GetResourceVersion()))
		},
		Deleted: func(key string, obj watchglass.Object) {
			say(fmt.Sprintf("deleted %s@%s", key, obj.GetResourceVersion()))
		},
		Replaced: func(objects []watchglass.Object, resourceVersion string) {
			say(fmt.Sprintf("replaced everything: %d objects at %s", len(objects), resourceVersion))
		},
	}
}

// lines returns the content of an index, one line per value: "a: web-1 web-2".
func lines(ix *Indexer, name string) []string {
	lines := []string{}
	for _, value := range ix.ListIndexFuncValues(name) {
		keys := slices.Sorted(maps.Keys(ix.indices.find(name).keys[value]))
		lines = append(lines, fmt.Sprintf("%s: %s", value, strings.Join(keys, " ")))
	}
	return lines
}
