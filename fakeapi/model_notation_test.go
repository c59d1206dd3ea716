package fakeapi

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// A notation writes the answers and events of model and server as text, so that they
// can be compared. Uids become numbers in the order in which they first appear, which
// is in the answer to a create.
type notation struct {
	uids  map[string]int
	known map[string]string // the lines of objects, by their JSON
}

// object is the line for an object.
func (t *notation) object(o modelObject) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s@", o.key())
	if o.version > 0 {
		b.WriteString(strconv.FormatUint(o.version, 10))
	}
	fmt.Fprintf(&b, " u%d", t.uid(o.uid))
	if o.generation > 0 {
		fmt.Fprintf(&b, " g%d", o.generation)
	}
	for _, s := range []string{o.color, o.app, o.phase} {
		if s == "" {
			s = "-"
		}
		b.WriteString(" " + s)
	}
	if len(o.finalizers) > 0 {
		b.WriteString(" held by " + strings.Join(o.finalizers, ","))
	}
	if o.deleting {
		b.WriteString(" deleting")
	}
	return b.String()
}

func (t *notation) uid(uid string) int {
	if t.uids == nil {
		t.uids = map[string]int{}
	}
	n, ok := t.uids[uid]
	if !ok {
		n = len(t.uids) + 1
		t.uids[uid] = n
	}
	return n
}

// wireObject is the part of an object's JSON that the notation shows. Other tests
// check the rest.
type wireObject struct {
	Kind, APIVersion string
	Metadata         struct {
		Namespace, Name, UID, ResourceVersion string
		Generation                            int
		Labels                                map[string]string
		Finalizers                            []string
		DeletionTimestamp                     string
		Annotations                           map[string]string
	}
	Spec   map[string]any // with the server's defaults
	Data   map[string]string
	Status json.RawMessage // of an object {"phase":…}, of a Status a string
	Code   int
}

// read is an object's line from its JSON. kind says whether kind and apiVersion have
// to be in it.
func (t *notation) read(r traits, raw []byte, kind bool) string {
	if line, ok := t.known[string(raw)]; ok {
		return line
	}
	var w wireObject
	if err := json.Unmarshal(raw, &w); err != nil {
		return fmt.Sprintf("not an object: %v: %s", err, raw)
	}
	if kind != (w.Kind == r.kind && w.APIVersion == r.apiVersion) {
		return "kind and apiVersion are missing, or should be: " + string(raw)
	}
	line := t.object(w.object(r))
	if t.known == nil {
		t.known = map[string]string{}
	}
	t.known[string(raw)] = line
	return line
}

func (w *wireObject) object(r traits) modelObject {
	m := w.Metadata
	o := modelObject{namespace: m.Namespace, name: m.Name, version: versionOf(m.ResourceVersion),
		uid: m.UID, generation: m.Generation, app: m.Labels["app"],
		deleting: m.DeletionTimestamp != ""}
	var status struct{ Phase string }
	_ = json.Unmarshal(w.Status, &status) // none: no phase
	o.phase = status.Phase
	switch r.payload[0] {
	case "spec":
		o.color, _ = w.Spec[r.payload[1]].(string)
	case "data":
		o.color = w.Data[r.payload[1]]
	}
	for _, f := range m.Finalizers {
		o.finalizers = append(o.finalizers, strings.TrimPrefix(f, "example.dev/"))
	}
	return o
}

// answer is a response in lines, and the continue token in it.
func (t *notation) answer(r traits, code int, body []byte) (lines []string, next string) {
	var w struct {
		Kind     string
		Metadata struct {
			Continue, ResourceVersion string
			RemainingItemCount        *int
		}
		Items  []json.RawMessage
		Code   int
		Status json.RawMessage
	}
	if err := json.Unmarshal(body, &w); err != nil {
		return []string{fmt.Sprintf("code %d, but the body is not JSON: %v", code, err)}, ""
	}
	switch {
	case w.Kind == r.kind:
		return []string{strconv.Itoa(code) + " " + t.read(r, body, true)}, ""
	case w.Kind != r.kind+"List":
		if w.Code != 0 && w.Code != code {
			return []string{fmt.Sprintf("code %d, but the body says %d", code, w.Code)}, ""
		}
		return []string{strconv.Itoa(code)}, w.Metadata.Continue
	}
	head := fmt.Sprintf("%d list @%s", code, w.Metadata.ResourceVersion)
	if w.Metadata.Continue != "" {
		head += " more"
	}
	if n := w.Metadata.RemainingItemCount; n != nil {
		head += fmt.Sprint(" ", *n)
	}
	lines = []string{head}
	for _, item := range w.Items {
		lines = append(lines, "  "+t.read(r, item, r.custom))
	}
	return lines, w.Metadata.Continue
}

// frame is the line for a frame of a watch.
func (t *notation) frame(r traits, line []byte) string {
	var f struct {
		Type   string
		Object json.RawMessage
	}
	if err := json.Unmarshal(line, &f); err != nil {
		return fmt.Sprintf("garbage: %q", line)
	}
	switch f.Type {
	case "ADDED", "MODIFIED", "DELETED":
		return f.Type + " " + t.read(r, f.Object, true)
	}
	var w wireObject
	if err := json.Unmarshal(f.Object, &w); err != nil {
		return fmt.Sprintf("%s of %s: %v", f.Type, f.Object, err)
	}
	switch {
	case f.Type == "ERROR":
		return fmt.Sprint("ERROR ", w.Code)
	case w.Metadata.Annotations[initialEventsEnd] != "":
		return "BOOKMARK end @" + w.Metadata.ResourceVersion
	}
	return "BOOKMARK @" + w.Metadata.ResourceVersion
}
