package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// An object is one object of a file.
type object struct {
	file    string
	line    int // on which its JSON document begins, from 1
	content map[string]any
}

func (o *object) errorf(format string, args ...any) error {
	return atLine(o.file, o.line, fmt.Sprintf(format, args...))
}

func atLine(file string, line int, what string) error {
	return fmt.Errorf("-load: %s:%d: %s", file, line, what)
}

// text is a top-level field, or "".
func (o *object) text(field string) string {
	s, _ := o.content[field].(string)
	return s
}

// readObjects reads the objects in a file or, from a directory, in those of its files that end in
// .json, in the order of their names.
func readObjects(name string) (objects []*object, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("-load: %w", err)
	}
	if !info.IsDir() {
		return readFile(name)
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, fmt.Errorf("-load: %w", err)
	}
	found := false
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != ".json" {
			continue
		}
		some, err := readFile(filepath.Join(name, e.Name()))
		if err != nil {
			return nil, err
		}
		objects, found = append(objects, some...), true
	}
	if !found {
		return nil, fmt.Errorf("-load: %s: there is no file that ends in .json in this directory", name)
	}
	return objects, nil
}

// readFile reads the objects in a file: JSON documents that follow each other.
func readFile(name string) (objects []*object, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("-load: %w", err)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	for {
		line := lineAt(text, skipSpace(text, d.InputOffset()))
		var v any
		err := d.Decode(&v)
		content, isObject := v.(map[string]any)
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if e, ok := errors.AsType[*json.SyntaxError](err); ok {
			line = lineAt(text, e.Offset)
		}
		if len(objects) == 0 && (err != nil || !isObject) && !looksLikeJSON(text) {
			return nil, fmt.Errorf("-load: %[1]s: expected JSON objects; to convert YAML, run "+
				"kubectl patch --local -f %[1]s --type=merge -p '{}' -o json (it needs no server)", name)
		}
		if err != nil {
			return nil, atLine(name, line, err.Error())
		}
		if !isObject {
			return nil, atLine(name, line, "expected an object")
		}
		parts, err := (&object{name, line, content}).items()
		if err != nil {
			return nil, err
		}
		objects = append(objects, parts...)
	}
}

// looksLikeJSON says whether a text begins like a JSON object: then the error says what is wrong
// with it. Otherwise it is probably YAML, which seldom begins with a brace.
func looksLikeJSON(text []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) }

// skipSpace is the offset of the first document at or after an offset.
func skipSpace(text []byte, offset int64) int64 {
	return int64(len(text) - len(bytes.TrimLeft(text[offset:], " \t\r\n")))
}

func lineAt(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:min(int(offset), len(text))], []byte("\n"))
}

// items returns the objects in a list, or the object itself. The items of a typed list may leave
// out their kind and apiVersion, because the list has them: a WidgetList holds Widgets.
func (o *object) items() ([]*object, error) {
	kind, isList := strings.CutSuffix(o.text("kind"), "List")
	items, hasItems := o.content["items"].([]any)
	if !isList || !hasItems {
		return []*object{o}, nil
	}
	var objects []*object
	for i, item := range items {
		content, ok := item.(map[string]any)
		if !ok {
			return nil, o.errorf("item %d of the list is not an object", i+1)
		}
		if kind != "" {
			setDefault(content, "kind", kind)
			setDefault(content, "apiVersion", o.text("apiVersion"))
		}
		objects = append(objects, &object{o.file, o.line, content})
	}
	return objects, nil
}

func setDefault(m map[string]any, key, value string) {
	if s, _ := m[key].(string); s == "" {
		m[key] = value
	}
}
