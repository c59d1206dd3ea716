package fakeapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"time"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
)

// A step is a request, or what else happens to a server: see modelVerbs.
type step struct {
	verb     string
	kind     traits
	ns, name string
	query    map[string]string
	body     map[string]string // what the body says: see content
	slot     string            // of a watch, or of a list's continue token
	wait     time.Duration
}

// modelVerbs are the verbs that are requests, with their methods.
var modelVerbs = map[string]string{"create": "POST", "update": "PUT", "patch": "PATCH",
	"delete": "DELETE", "deletecollection": "DELETE", "get": "GET", "list": "GET", "watch": "GET"}

// Traits are how resources differ on a real server.
type traits struct {
	path, plural, kind, apiVersion string
	part, field                    string // where the one value is that steps set
	custom                         bool   // no unconditional PUT
	twice                          bool   // deleted in two writes
}

var modelTraits = []traits{
	{"/apis/workshop.example.dev/v1", "widgets", "Widget", "workshop.example.dev/v1",
		"spec", "color", true, false},
	{"/api/v1", "pods", "Pod", "v1", "spec", "schedulerName", false, true},
	{"/api/v1", "configmaps", "ConfigMap", "v1", "data", "color", false, false},
}

// collection returns the path of a collection.
func (k traits) collection(namespace string) string {
	if namespace == "" {
		return k.path + "/" + k.plural
	}
	return k.path + "/namespaces/" + namespace + "/" + k.plural
}

// counts says whether objects have a generation. They can be selected by the field, too.
func (k traits) counts() bool { return k.part == "spec" }

func (s step) key() string { return s.ns + "/" + s.name }

func versionOf(s string) uint64 { n, _ := strconv.ParseUint(s, 10, 64); return n }

// request returns the step as a request.
func (s step) request() *http.Request {
	path := s.kind.collection(s.ns)
	if s.name != "" && s.verb != "create" {
		path += "/" + s.name
	}
	q := url.Values{}
	for key, value := range s.query {
		q.Set(key, value)
	}
	r := httptest.NewRequest(modelVerbs[s.verb], path+"?"+q.Encode(), strings.NewReader(s.content()))
	if s.verb == "patch" {
		r.Header.Set("Content-Type", patch.MediaMerge)
	}
	return r
}

// content returns the body of a request: DeleteOptions, or an object or patch. A value that is set to
// nothing is null.
func (s step) content() string {
	if modelVerbs[s.verb] == "GET" || s.name == "" {
		return ""
	}
	meta := object.Tree{"namespace": s.ns, "name": s.name}
	o := object.Tree{"apiVersion": s.kind.apiVersion, "kind": s.kind.kind, "metadata": meta}
	if s.verb == "delete" {
		meta = object.Tree{}
		o = object.Tree{"preconditions": meta}
	}
	for name, value := range s.body {
		switch name {
		case "version":
			meta["resourceVersion"] = value
		case "app":
			meta["labels"] = object.Tree{"app": orNull(value, value)}
		case "finalizers":
			meta["finalizers"] = orNull(value, strings.Split(value, ","))
		case "color":
			o[s.kind.part] = object.Tree{s.kind.field: value}
		}
	}
	b, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func orNull(text string, value any) any {
	if text == "" {
		return nil
	}
	return value
}

// String returns the step as a failure shows it.
func (s step) String() string {
	if modelVerbs[s.verb] == "" {
		return fmt.Sprint(s.verb, " ", s.slot, s.wait)
	}
	return fmt.Sprintf("%s %s %s %s", modelVerbs[s.verb], s.request().URL, s.content(), s.slot)
}

// A generator makes steps out of bytes. It chooses among few objects, so that many steps are about
// the same one. Versions are chosen relative to the model's present state: they keep their
// meaning when other steps are left out.
type generator struct {
	model *model
	bytes []byte // one for each choice; if there are no more, they count as 0
}

// n chooses a number below a limit.
func (g *generator) n(limit int) int {
	if len(g.bytes) == 0 {
		return 0
	}
	b := g.bytes[0]
	g.bytes = g.bytes[1:]
	return int(b) % limit
}

func (g *generator) pick(from ...string) string { return from[g.n(len(from))] }

// maybe sets a value in so many percent of the calls.
func (g *generator) maybe(percent int, to map[string]string, name string, from ...string) {
	if g.n(100) < percent {
		to[name] = g.pick(from...)
	}
}

// version returns a version so far from the store's present one.
func (g *generator) version(offset int) string {
	return fmt.Sprint(max(1, int(g.model.version)+offset))
}

// current returns a version so far from that of the step's object.
func (g *generator) current(s step, offset int) string {
	version := 1
	if o := g.model.resources[s.kind.plural].objects[s.key()]; o != nil {
		version = int(o.Version)
	}
	return fmt.Sprint(max(1, version+offset))
}

func (g *generator) past() string { return g.version(-g.n([]int{2, 8, 40}[g.n(3)])) }

func (g *generator) step() step {
	s := step{kind: modelTraits[[]int{0, 0, 0, 1, 2}[g.n(5)]], query: map[string]string{},
		body: map[string]string{}}
	n := g.n(100)
	if n < 62 && n != 58 { // about one object
		s.ns, s.name = g.pick("bar", "shop", "shop"), g.pick("db-1", "web-1", "web-2", "web-3")
	}
	switch {
	case n < 18:
		s.verb = "create"
		g.content(s)
	case n < 46:
		g.change(&s)
	case n < 58:
		s.verb = "delete"
		g.maybe(15, s.body, "version", g.current(s, 0), g.current(s, -1))
	case n < 59:
		s.verb = "deletecollection"
		g.selection(&s)
		s.ns = "shop"
	case n < 62:
		s.verb = "get"
		g.maybe(40, s.query, "resourceVersion", g.version(0), "0", g.version(-5), g.version(1))
	case n < 82:
		g.list(&s)
	case n < 90:
		g.watch(&s)
	case n < 93:
		s.verb, s.slot = "close", fmt.Sprint("w", g.n(6))
	case n < 94:
		s.verb = "compact"
	default:
		s.verb = "wait"
		s.wait = time.Duration([]int{1, 1, 5, 5, 48, 50, 120, 300}[g.n(8)]) * time.Second
	}
	return s
}

// content sets the body of a create or an update.
func (g *generator) content(s step) {
	s.body["color"] = g.pick("red", "green", "blue")
	g.maybe(60, s.body, "app", "front", "back", "cache")
	g.maybe(15, s.body, "finalizers", "example.dev/a", "example.dev/b", "example.dev/a,example.dev/b")
}

func (g *generator) change(s *step) {
	now, before := g.current(*s, 0), g.current(*s, -1)
	if g.n(3) == 0 {
		s.verb = "update"
		g.maybe(85, s.body, "version", now, now, now, before)
		g.content(*s)
		return
	}
	s.verb = "patch"
	g.maybe(50, s.body, "color", "red", "green")
	g.maybe(40, s.body, "app", "front", "back", "")
	g.maybe(50, s.body, "finalizers", "", "", "example.dev/a", "example.dev/b")
	g.maybe(10, s.body, "version", now, before)
}

// selection chooses the objects of a list, a watch or a deletecollection.
func (g *generator) selection(s *step) {
	if g.n(2) == 0 {
		s.ns = g.pick("shop", "bar")
	}
	fields := []string{"metadata.name=web-1", "metadata.name!=web-1"}
	if s.kind.counts() {
		fields = append(fields, "spec."+s.kind.field+"=red", "spec."+s.kind.field+"!=red")
	}
	g.maybe(20, s.query, "fieldSelector", fields...)
	g.maybe(25, s.query, "labelSelector", "app=front", "!app", "app in (front,back)")
}

func (g *generator) list(s *step) {
	slot := g.pick("p0", "p1", "p2")
	if p, ok := g.model.pages[slot]; ok && g.n(3) > 0 {
		*s = p.list
		s.query = map[string]string{"continue": slot}
		for _, selector := range []string{"labelSelector", "fieldSelector"} {
			if v := p.list.query[selector]; v != "" {
				s.query[selector] = v
			}
		}
		g.maybe(70, s.query, "limit", "1", "2")
		return
	}
	s.verb, s.slot = "list", slot
	g.selection(s)
	g.maybe(60, s.query, "limit", "1", "2", "3", "4", "100")
	past := g.past()
	g.maybe(50, s.query, "resourceVersion", past, past, g.version(0), "0", g.version(1))
	g.maybe(30, s.query, "resourceVersionMatch", "Exact", "Exact", "NotOlderThan")
}

func (g *generator) watch(s *step) {
	s.verb, s.slot = "watch", fmt.Sprint("w", g.n(6))
	g.selection(s)
	s.query["watch"] = "1"
	g.maybe(60, s.query, "allowWatchBookmarks", "true")
	g.maybe(30, s.query, "timeoutSeconds", "1", "60", "300")
	switch n := g.n(10); n {
	case 0, 1:
		s.query["resourceVersion"] = g.version(g.n(4))
	case 2:
		s.query["resourceVersion"] = "0"
	case 3, 4:
		s.query["sendInitialEvents"] = fmt.Sprint(n == 3)
		s.query["resourceVersionMatch"] = "NotOlderThan"
		g.maybe(50, s.query, "resourceVersion", g.version(0), g.version(-3), "0")
	case 5:
	default:
		s.query["resourceVersion"] = g.past()
	}
}
