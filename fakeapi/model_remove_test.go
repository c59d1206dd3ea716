package fakeapi

import (
	"fmt"
	"maps"
	"slices"

	"example.com/watchglass/docs/story"
)

// delete removes an object or marks it.
func (m *model) delete(r *modelResource, c story.Command) (int, *modelObject) {
	old := r.objects[c.Arg(1)]
	switch version := c.Opt("rv", ""); {
	case old == nil:
		return 404, nil
	case version != "" && version != fmt.Sprint(old.version):
		return 409, nil
	}
	return 200, m.remove(r, old, c.Opt("policy", "") == "Foreground", c.Opt("dryrun", "") != "")
}

// remove returns the object that the answer shows: nil if the answer is a Status.
func (m *model) remove(r *modelResource, old *modelObject, foreground, dry bool) *modelObject {
	marked := *old
	if foreground {
		marked.finalizers = unionOf(old.finalizers, []string{"foregroundDeletion"})
	}
	if !old.deleting {
		marked.deleting = true
		if r.generation {
			marked.generation++
		}
	}
	stays := len(marked.finalizers) > 0
	if stays || r.twice {
		news := !old.deleting || len(marked.finalizers) > len(old.finalizers)
		if news && !dry {
			m.commit(r, old, &marked, false)
		}
		if stays {
			return &marked
		}
	}
	if dry {
		return r.shown(&marked)
	}
	if r.twice {
		gone := marked
		m.commit(r, &marked, &gone, true)
		return &marked
	}
	gone := *old
	m.commit(r, old, &gone, true)
	return nil
}

// shown is what a deletion that removed the object answers with: only pods are shown.
func (r *modelResource) shown(o *modelObject) *modelObject {
	if r.twice {
		return o
	}
	return nil
}

func (m *model) deleteCollection(r *modelResource, c story.Command) []string {
	out := m.show(r, choiceOf(c), m.version, "", 0, nil)
	for _, key := range slices.Sorted(maps.Keys(r.objects)) {
		if o := r.objects[key]; choiceOf(c).takes(o) {
			m.remove(r, o, false, c.Opt("dryrun", "") != "")
		}
	}
	return out
}
