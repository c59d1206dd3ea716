package object

import (
	_ "embed"
	"maps"
	"strings"
)

// A part of a type says which of the lists in it a strategic merge patch merges. Nil is a part
// without such lists.
type part struct {
	merged bool             // it is a list that is merged
	key    string           // its elements are identified by this field; "": they are plain values
	fields map[string]*part // of the object, or of each element of the list
}

// at returns the part under a field.
func (p *part) at(field string) *part {
	if p == nil {
		return nil
	}
	return p.fields[field]
}

// isMerged reports whether the part is a list that is merged.
func (p *part) isMerged() bool { return p != nil && p.merged }

// within returns the part at a path, made if there is none.
func (p *part) within(path string) *part {
	if path == "." {
		return p
	}
	for field := range strings.SplitSeq(path, ".") {
		if p.fields == nil {
			p.fields = map[string]*part{}
		}
		if p.fields[field] == nil {
			p.fields[field] = &part{}
		}
		p = p.fields[field]
	}
	return p
}

// include adds the parts of another one.
func (p *part) include(other *part) {
	if p.fields == nil {
		p.fields = map[string]*part{}
	}
	maps.Copy(p.fields, other.fields) // the table names no field of a part twice
}

//go:embed patch_lists.txt
var patchListsText string

// patchLists maps the qualified names of types to the lists that are merged in them.
var patchLists = readPatchLists(patchListsText)

// readPatchLists reads the table in patch_lists.txt, which says how it is written.
func readPatchLists(text string) map[string]*part {
	all, now := map[string]*part{}, (*part)(nil)
	for line := range strings.Lines(text) {
		switch words := strings.Fields(line); {
		case len(words) == 0 || words[0] == "#":
		case len(words) == 1:
			now = &part{}
			all[words[0]] = now
			if words[0][0] != '$' {
				now.include(all["$object"])
			}
		case words[1][0] == '$':
			now.within(words[0]).include(all[words[1]])
		default:
			list := now.within(words[0])
			list.merged, list.key = true, strings.TrimPrefix(words[1], "-")
		}
	}
	return all
}

// patchListsOf returns the lists that are merged in objects of a type.
func patchListsOf(typ *Type) *part {
	if lists := patchLists[typ.QualifiedName()]; lists != nil {
		return lists
	}
	return patchLists["$object"]
}
