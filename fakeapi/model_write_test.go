package fakeapi

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/story"
)

// change is an update, a status update or a patch.
func (m *model) change(r *modelResource, c story.Command) (int, *modelObject) {
	kind := c.Opt("type", "")
	if kind == "strategic" && r.custom {
		return 415, nil
	}
	old := r.objects[c.Arg(1)]
	if old == nil {
		return 404, nil
	}
	version := c.Opt("rv", "")
	next, code := r.changed(old, c, kind)
	switch {
	case code != 0:
		return code, nil
	case version == "" && r.custom && c.Name != "patch":
		return 422, nil
	case version != "" && version != fmt.Sprint(old.version):
		return 409, nil
	case old.deleting && !subset(next.finalizers, old.finalizers):
		return 422, nil
	case next.same(old):
		return 200, old
	}
	if r.generation && next.color != old.color {
		next.generation++
	}
	switch dry := c.Opt("dryrun", "") != ""; {
	case old.deleting && len(next.finalizers) == 0:
		if !dry { // watchers receive the stored object, the answer shows the new one
			gone := *old
			m.commit(r, old, &gone, true)
		}
		return 200, next
	case !dry:
		m.commit(r, old, next, false)
	}
	return 200, next
}

// changed is old with the command's changes, or the code with which it is refused.
func (r *modelResource) changed(
	old *modelObject, c story.Command, kind string) (*modelObject, int) {
	next := *old
	switch {
	case c.Name == "status":
		next.phase = c.Opt("phase", "")
		if !r.custom { // a status update of a built-in type replaces metadata, too
			next.app, next.finalizers = c.Opt("app", ""), splitList(c.Opt("fin", ""))
		}
	case c.Name == "update":
		next.color, next.app = c.Opt("color", ""), c.Opt("app", "")
		next.finalizers = splitList(c.Opt("fin", ""))
	case kind == "json":
		if c.Opt("test", old.color) != old.color {
			return nil, 422
		}
		next.color = c.Opt("color", "")
	default:
		next.color, next.app = c.Opt("color", old.color), c.Opt("app", old.app)
		if fin := c.Opt("fin", "unset"); fin != "unset" {
			next.finalizers = splitList(fin)
			if kind == "strategic" && fin != "" {
				next.finalizers = unionOf(old.finalizers, next.finalizers)
			}
		}
	}
	return &next, 0
}

func (o *modelObject) same(p *modelObject) bool {
	return o.color == p.color && o.app == p.app && o.phase == p.phase &&
		slices.Equal(o.finalizers, p.finalizers)
}

func subset(some, all []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

func unionOf(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func splitList(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

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
