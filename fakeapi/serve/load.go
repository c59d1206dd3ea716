package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"example.com/watchglass/fakeapi"
)

// load creates the objects in a file, in their order. Lists are taken apart.
func load(server *fakeapi.Server, resources []fakeapi.Resource, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("-load: %w", err)
	}
	objects, err := readObjects(string(text))
	for i := 0; err == nil && i < len(objects); i++ {
		err = objects[i].create(server, resources)
	}
	if e, ok := errors.AsType[*lineError](err); ok {
		return fmt.Errorf("-load: %s:%d: %s", name, e.line, e.what)
	}
	return err
}

// An object is one object of a file.
type object struct {
	line    int // where its document begins
	content map[string]any
}

func (o *object) errorf(format string, args ...any) error {
	return &lineError{o.line, fmt.Sprintf(format, args...)}
}

// text is a field at the top, or "".
func (o *object) text(field string) string {
	s, _ := o.content[field].(string)
	return s
}

// readObjects reads all objects of a text.
func readObjects(text string) (objects []object, err error) {
	documents, err := readDocuments(text)
	if err != nil {
		return nil, err
	}
	for _, d := range documents {
		content, ok := d.value.(map[string]any)
		if !ok {
			return nil, &lineError{d.line, "an object is expected here"}
		}
		o := object{d.line, content}
		parts, err := o.items()
		if err != nil {
			return nil, err
		}
		objects = append(objects, parts...)
	}
	return objects, nil
}

// items are the objects in a list, or the object itself. The items of a typed list may leave out
// what their list says: a WidgetList holds Widgets.
func (o *object) items() ([]object, error) {
	kind, isList := strings.CutSuffix(o.text("kind"), "List")
	items, hasItems := o.content["items"].([]any)
	if !isList || !hasItems {
		return []object{*o}, nil
	}
	var objects []object
	for i, item := range items {
		content, ok := item.(map[string]any)
		if !ok {
			return nil, o.errorf("item %d of the list is no object", i+1)
		}
		if kind != "" {
			setDefault(content, "kind", kind)
			setDefault(content, "apiVersion", o.text("apiVersion"))
		}
		objects = append(objects, object{o.line, content})
	}
	return objects, nil
}

func setDefault(m map[string]any, key, value string) {
	if s, _ := m[key].(string); s == "" {
		m[key] = value
	}
}

// create creates the object. What only a server sets is dropped, so that what kubectl get -o yaml
// has written can be loaded; the status is loaded, too.
func (o *object) create(server *fakeapi.Server, resources []fakeapi.Resource) error {
	r, err := o.resource(resources)
	if err != nil {
		return err
	}
	if m, ok := o.content["metadata"].(map[string]any); ok {
		delete(m, "resourceVersion")
		delete(m, "uid")
	}
	created, err := server.Create(r.QualifiedName(), o.content)
	if status, ok := o.content["status"]; err == nil && ok && r.Status {
		var present map[string]any
		if err = json.NewDecoder(bytes.NewReader(created)).Decode(&present); err == nil {
			present["status"] = status
			_, err = server.UpdateStatus(r.QualifiedName(), present)
		}
	}
	if err != nil {
		return o.errorf("%v", err)
	}
	return nil
}

// resource finds what the object is one of.
func (o *object) resource(resources []fakeapi.Resource) (*fakeapi.Resource, error) {
	kind, version := o.text("kind"), o.text("apiVersion")
	if kind == "" || version == "" {
		return nil, o.errorf("an object needs a kind and an apiVersion")
	}
	for i := range resources {
		if r := &resources[i]; r.Kind == kind && r.APIVersion() == version {
			return r, nil
		}
	}
	return nil, o.errorf("no resource is served for the kind %s of %s; "+
		"-resource GROUP/VERSION/PLURAL=%s adds one", kind, version, kind)
}
