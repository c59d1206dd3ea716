package fakeapi

import (
	"encoding/json"
	"net/url"
	"strings"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
)

func dry(c story.Command) string {
	if c.Opt("dryrun", "") == "" {
		return ""
	}
	return "All"
}

func queryText(pairs ...string) url.Values {
	q := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	return q
}

func (s choice) query() url.Values {
	return queryText("labelSelector", s.labels, "fieldSelector", s.fields)
}

// body is the object of a create or an update.
func (t traits) body(c story.Command) string {
	namespace, name, _ := strings.Cut(c.Arg(1), "/")
	m := object.Tree{"namespace": namespace, "name": name}
	if v := c.Opt("rv", ""); v != "" {
		m["resourceVersion"] = v
	}
	if v := c.Opt("app", ""); v != "" {
		m["labels"] = object.Tree{"app": v}
	}
	if v := c.Opt("fin", ""); v != "" {
		m["finalizers"] = qualified(v)
	}
	o := object.Tree{"apiVersion": t.apiVersion, "kind": t.kind, "metadata": m}
	if v := c.Opt("color", ""); v != "" {
		o[t.payload[0]] = object.Tree{t.payload[1]: v}
	}
	if v := c.Opt("phase", ""); v != "" {
		o["status"] = object.Tree{"phase": v}
		if t.twice {
			o["status"] = object.Tree{"phase": v, "qosClass": "BestEffort"}
		}
	}
	return encode(o)
}

// qualified are finalizers with a domain, as the API requires; commands leave it out.
func qualified(list string) []string {
	var out []string
	for _, f := range splitList(list) {
		if f != "foregroundDeletion" {
			f = "example.dev/" + f
		}
		out = append(out, f)
	}
	return out
}

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// patch is a patch's content type and body.
func (t traits) patch(c story.Command) (kind, body string) {
	if c.Opt("type", "") == "json" {
		path := "/" + t.payload[0] + "/" + t.payload[1]
		var steps []object.Tree
		if v := c.Opt("test", ""); v != "" {
			steps = append(steps, object.Tree{"op": "test", "path": path, "value": v})
		}
		return patch.MediaJSON, encode(append(steps,
			object.Tree{"op": "replace", "path": path, "value": c.Opt("color", "")}))
	}
	const unset = "\x00"
	m, o := object.Tree{}, object.Tree{}
	if v := c.Opt("rv", ""); v != "" {
		m["resourceVersion"] = v
	}
	if v := c.Opt("app", unset); v != unset {
		m["labels"] = object.Tree{"app": orNull(v)}
	}
	if v := c.Opt("fin", unset); v != unset {
		m["finalizers"] = qualified(v)
		if v == "" {
			m["finalizers"] = nil
		}
	}
	if v := c.Opt("color", unset); v != unset {
		o[t.payload[0]] = object.Tree{t.payload[1]: v}
	}
	o["metadata"] = m
	if c.Opt("type", "") == "strategic" {
		return patch.MediaStrategic, encode(o)
	}
	return patch.MediaMerge, encode(o)
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// deletion is the DeleteOptions of a delete.
func deletion(c story.Command) string {
	o := object.Tree{}
	if v := c.Opt("rv", ""); v != "" {
		o["preconditions"] = object.Tree{"resourceVersion": v}
	}
	if v := c.Opt("policy", ""); v != "" {
		o["propagationPolicy"] = v
	}
	if v := dry(c); v != "" {
		o["dryRun"] = []string{v}
	}
	return encode(o)
}
