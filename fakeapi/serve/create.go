package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"example.com/watchglass/fakeapi"
)

// A loader creates objects by requests, like any client: the server checks them as it checks a
// client's, and a kind is served as soon as its CustomResourceDefinition is loaded.
type loader struct {
	client *http.Client
	token  string
}

// loadInto creates the objects in files and directories, in their order.
func (c *config) loadInto(server *fakeapi.Server) error {
	l := &loader{server.Client(), c.options.Token}
	for _, name := range c.load {
		objects, err := readObjects(name)
		for i := 0; err == nil && i < len(objects); i++ {
			err = l.create(objects[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// create creates an object. It drops uid and resourceVersion, which only a server sets, so that the
// output of kubectl get -o json can be loaded. A status with a path of its own takes a second
// request.
func (l *loader) create(o *object) error {
	path, hasStatus, err := l.find(o)
	if err != nil {
		return err
	}
	if m, ok := o.content["metadata"].(map[string]any); ok {
		delete(m, "resourceVersion")
		delete(m, "uid")
	}
	var created map[string]any
	err = l.send("POST", path+"?fieldValidation=Strict", o.content, &created)
	if status, ok := o.content["status"]; err == nil && ok && hasStatus {
		m, _ := created["metadata"].(map[string]any)
		created["status"] = status
		err = l.send("PUT", fmt.Sprintf("%s/%s/status", path, m["name"]), created, nil)
	}
	if err != nil {
		return o.errorf("%v", err)
	}
	return nil
}

// find asks discovery for the path of the objects of this kind, and whether they have /status.
func (l *loader) find(o *object) (path string, hasStatus bool, err error) {
	kind, version := o.text("kind"), o.text("apiVersion")
	if kind == "" || version == "" {
		return "", false, o.errorf("an object needs a kind and an apiVersion")
	}
	root := "/api/" + version
	if strings.Contains(version, "/") {
		root = "/apis/" + version
	}
	var list struct {
		Resources []struct {
			Name, Kind string
			Namespaced bool
		}
	}
	_ = l.send("GET", root, nil, &list) // a version that is not served has no resources
	names := map[string]bool{}
	plural, namespaced := "", false
	for _, r := range list.Resources {
		names[r.Name] = true
		if r.Kind == kind && !strings.Contains(r.Name, "/") {
			plural, namespaced = r.Name, r.Namespaced
		}
	}
	switch {
	case plural == "":
		return "", false, o.errorf("no resource is served for the kind %s of %s; "+
			"load its CustomResourceDefinition first, or add it with -resource", kind, version)
	case namespaced:
		root += "/namespaces/" + url.PathEscape(o.namespace())
	}
	return root + "/" + plural, names[plural+"/status"], nil
}

// namespace is the namespace of the object, if its kind has namespaces.
func (o *object) namespace() string {
	m, _ := o.content["metadata"].(map[string]any)
	if namespace, _ := m["namespace"].(string); namespace != "" {
		return namespace
	}
	return "default"
}

// send makes a request and decodes the answer into out, unless that is nil. If the server refuses
// the request, the error has the server's message.
func (l *loader) send(method, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := http.NewRequest(method, fakeapi.URL+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Host = "localhost"
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+l.token)
	resp, err := l.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode >= 300 {
		var status struct{ Message string }
		if json.Unmarshal(answer, &status) != nil || status.Message == "" {
			status.Message = string(answer)
		}
		return fmt.Errorf("%s", status.Message)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(answer, out)
}
