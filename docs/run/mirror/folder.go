package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"example.com/watchglass"
)

// A folder holds a file for each object. It is the handler of the informer.
type folder struct {
	*os.Root // no name leads out of it
	out      *log.Logger
}

// open opens a folder, and makes it if it is not there.
func open(path string, out io.Writer) (*folder, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	_ = root.Remove(unfinished) // of a program that died in a write; mostly there is none
	return &folder{root, log.New(out, "", 0)}, nil
}

// OnAdd implements rvinformer.Handler.
func (f *folder) OnAdd(obj watchglass.Object, _ bool) error { return f.write(obj) }

// OnUpdate implements rvinformer.Handler.
func (f *folder) OnUpdate(obj watchglass.Object, _ bool) error { return f.write(obj) }

// OnSync implements rvinformer.Handler. There is nothing to write.
func (f *folder) OnSync(watchglass.Object) error { return nil }

// OnDelete implements rvinformer.Handler. It accepts that there is no file.
func (f *folder) OnDelete(obj watchglass.Object, _ bool) error {
	name := nameOf(obj)
	if err := f.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f.out.Printf("removed %s", name)
	return nil
}

// unfinished is the name of a file while it is written: one object is written at a time.
const unfinished = "unfinished"

// write writes beside the file and renames. So a reader never finds half of a file, even if the
// program dies.
func (f *folder) write(obj watchglass.Object) error {
	name := nameOf(obj)
	text, err := json.MarshalIndent(obj, "", "  ")
	if err == nil {
		err = f.WriteFile(unfinished, append(text, '\n'), 0o644)
	}
	if err == nil {
		err = f.Rename(unfinished, name)
	}
	if err == nil {
		f.out.Printf("wrote %s at version %s", name, obj.GetResourceVersion())
	}
	return err
}

// versions returns the key and the version of each file: the saved map. As the version is in the
// file itself, neither is ever there without the other.
func (f *folder) versions() (map[string]string, error) {
	names, err := fs.Glob(f.FS(), "*.json")
	versions := map[string]string{}
	for _, name := range names {
		obj, failed := f.read(name)
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("%s was not written by a mirror, which would remove it: %w",
				filepath.Join(f.Name(), name), failed))
			continue
		}
		key, _ := watchglass.MetaNamespaceKeyFunc(obj)
		versions[key] = obj.GetResourceVersion()
	}
	return versions, err
}

// read reads the object in a file.
func (f *folder) read(name string) (*watchglass.Unstructured, error) {
	obj := &watchglass.Unstructured{}
	text, err := f.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(text, obj)
	}
	if err == nil && nameOf(obj) != name {
		err = fmt.Errorf("what is in it belongs into %s", nameOf(obj))
	}
	return obj, err
}

// longest is how many bytes the name of a file has at most, as file systems allow.
const longest = 255

// nameOf returns the name of an object's file: default,web-1.json. What has a meaning in a path or
// in this name is escaped, so that different objects have different files, and all in one folder. A
// name that is too long is cut, and ends with its hash.
func nameOf(obj watchglass.Object) string {
	name := url.PathEscape(obj.GetName())
	if namespace := obj.GetNamespace(); namespace != "" {
		name = url.PathEscape(namespace) + "," + name
	}
	name = strings.ReplaceAll(name, ":", "%3A") // a path on Windows
	if len(name+".json") > longest {
		name = fmt.Sprintf("%s~%x", name[:100], sha256.Sum256([]byte(name)))
	}
	return name + ".json"
}
