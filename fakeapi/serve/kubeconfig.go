package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// kubeconfig is the file in which kubectl and client libraries find a server. It is written as
// JSON, which readers of YAML accept. The struct has only the fields that are written here.
type kubeconfig struct {
	Kind           string      `json:"kind"`
	APIVersion     string      `json:"apiVersion"`
	Extensions     []extension `json:"extensions"`
	CurrentContext string      `json:"current-context"`
	Contexts       []named     `json:"contexts"`
	Clusters       []named     `json:"clusters"`
	Users          []named     `json:"users"`
}

// An extension is data that clients ignore.
type extension struct {
	Name      string         `json:"name"`
	Extension map[string]any `json:"extension"`
}

// A named is an entry of one of the lists: all have a name and one more field.
type named struct {
	Name    string       `json:"name"`
	Context *kubeContext `json:"context,omitempty"`
	Cluster *kubeCluster `json:"cluster,omitempty"`
	User    *kubeUser    `json:"user,omitempty"`
}

type kubeContext struct {
	Cluster   string `json:"cluster"`
	User      string `json:"user"`
	Namespace string `json:"namespace"`
}

type kubeCluster struct {
	Server   string `json:"server"`
	CA       []byte `json:"certificate-authority-data,omitempty"` // base64 in JSON
	Insecure bool   `json:"insecure-skip-tls-verify,omitempty"`
}

type kubeUser struct {
	Token string `json:"token,omitempty"`
}

// newKubeconfig describes a server. It holds the certificate itself, so that it depends on no other
// file.
func newKubeconfig(url string, id *identity, token string) *kubeconfig {
	const name = "fakeapi"
	k := &kubeconfig{Kind: "Config", APIVersion: "v1", CurrentContext: name,
		Extensions: []extension{{"fakeapi/serve", map[string]any{"overwritten": "by every run"}}},
		Contexts:   []named{{Name: name, Context: &kubeContext{name, name, "default"}}},
	}
	c, u := &kubeCluster{Server: url}, &kubeUser{Token: token}
	if id == nil {
		c.Insecure = true // or the JavaScript client refuses to talk plain HTTP
	} else {
		c.CA = id.pem
		// kubectl asks for a user name when it uses TLS and has no credentials.
		u.Token = cmp.Or(token, "any")
	}
	k.Clusters = []named{{Name: name, Cluster: c}}
	k.Users = []named{{Name: name, User: u}}
	return k
}

// kubeconfigMark is how every kubeconfig written here begins.
var kubeconfigMark = []byte(`{
  "kind": "Config",
  "apiVersion": "v1",
  "extensions": [
    {
      "name": "fakeapi/serve"`)

// writeKubeconfig writes a kubeconfig for a server. It stays when the server ends.
func writeKubeconfig(name, url string, id *identity, token string) error {
	text, err := json.MarshalIndent(newKubeconfig(url, id, token), "", "  ")
	if err != nil {
		return fmt.Errorf("-kubeconfig: %w", err)
	}
	if err := writeOwn(name, kubeconfigMark, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("-kubeconfig: %w", err)
	}
	return nil
}

// writeOwn writes a file whose content begins with a mark. It overwrites only empty files and files
// that begin with the mark: any other may be the user's access to a real cluster.
func writeOwn(name string, mark, content []byte, mode fs.FileMode) error {
	old, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case len(old) > 0 && !bytes.HasPrefix(old, mark):
		return fmt.Errorf("%s exists and was not written by this program; "+
			"name another file, or remove it", name)
	}
	return os.WriteFile(name, content, mode)
}
