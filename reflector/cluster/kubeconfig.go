package cluster

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Cluster is an API server and how to reach it, as a kubeconfig describes them. It is read once
// and shared by the clients of all collections.
type Cluster struct {
	Server     string       // the base URL, without a slash at its end
	Namespace  string       // of the context; "default" where that names none
	HTTPClient *http.Client // as NewHTTPClient makes it: it authenticates each request
}

// URL returns the URL of what is at path on the server, for example
// "/apis/apps/v1/namespaces/shop/deployments".
func (c *Cluster) URL(path string) string {
	return c.Server + "/" + strings.TrimLeft(path, "/") // path must not extend the host
}

// LoadKubeconfig reads a kubeconfig in JSON form, which is what this command prints:
//
//	kubectl config view --raw -o json
//
// kubectl itself writes YAML, which is refused with this advice. The file is in UTF-8, or in UTF-16
// with a byte order mark, which is what Windows PowerShell makes of the command's output. context
// names the context to use; empty means the file's current-context. Relative file names in the
// kubeconfig are relative to its own directory, as in kubectl. Two entries of one name are an
// error.
//
// Entries that would run a program (exec), need a plug-in (auth-provider) or act for another user
// (as) are not supported, nor are a user name and a password, which API servers no longer accept.
// The error names the entry.
func LoadKubeconfig(file, context string) (*Cluster, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("kubeconfig: %w", err)
	}
	cluster, err := parseKubeconfig(data, filepath.Dir(file), context)
	if err != nil {
		return nil, fmt.Errorf("kubeconfig %s: %w", file, err)
	}
	return cluster, nil
}

// kubeconfig is the part of a kubeconfig's schema that is read here.
type kubeconfig struct {
	Kind           string      `json:"kind"`
	CurrentContext string      `json:"current-context"`
	Contexts       []kubeEntry `json:"contexts"`
	Clusters       []kubeEntry `json:"clusters"`
	Users          []kubeEntry `json:"users"`
}

// kubeEntry is an entry of one of the three lists; only the member of that list is in it.
type kubeEntry struct {
	Name    string `json:"name"`
	Context struct {
		Cluster   string `json:"cluster"`
		User      string `json:"user"`
		Namespace string `json:"namespace"`
	} `json:"context"`
	Cluster members `json:"cluster"` // a kubeCluster
	User    members `json:"user"`    // a kubeUser
}

type members map[string]json.RawMessage

type kubeCluster struct {
	Server     string `json:"server"`
	CAFile     string `json:"certificate-authority"`
	CA         []byte `json:"certificate-authority-data"`
	ServerName string `json:"tls-server-name"`
	Insecure   bool   `json:"insecure-skip-tls-verify"`
	ProxyURL   string `json:"proxy-url"`
}

type kubeUser struct {
	Token     string `json:"token"`
	TokenFile string `json:"tokenFile"`
	CertFile  string `json:"client-certificate"`
	Cert      []byte `json:"client-certificate-data"`
	KeyFile   string `json:"client-key"`
	Key       []byte `json:"client-key-data"`
}

// refused are the members of a user that are not supported.
var refused = []string{"exec", "auth-provider", "username", "password",
	"as", "as-uid", "as-groups", "as-user-extra"}

// parseKubeconfig makes a Cluster of a kubeconfig in the directory dir.
func parseKubeconfig(data []byte, dir, context string) (*Cluster, error) {
	data = toUTF8(data)
	if bytes.ContainsRune(data, utf8.RuneError) { // a decoder would accept it
		return nil, errors.New("its text is broken: want UTF-8, or UTF-16 with a byte order mark")
	}
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return nil, errors.New("this is not JSON; " +
			"kubectl config view --raw -o json prints it as JSON")
	}
	var config kubeconfig
	if err := json.Unmarshal(data, &config); err != nil {
		return nil, err
	}
	if config.Kind != "" && config.Kind != "Config" {
		return nil, fmt.Errorf("kind is %.40q, want Config", config.Kind)
	}
	if err := config.unique(); err != nil {
		return nil, err
	}
	context = cmp.Or(context, config.CurrentContext)
	if context == "" {
		return nil, errors.New("there is no current-context: name the context to use")
	}
	cluster, err := config.cluster(context, dir)
	if err != nil {
		return nil, fmt.Errorf("context %q: %w", context, err)
	}
	return cluster, nil
}

// cluster follows the names from a context to its cluster and its user. A context without a user
// is anonymous.
func (k *kubeconfig) cluster(context, dir string) (*Cluster, error) {
	c, err := find(k.Contexts, "context", context)
	if err != nil {
		return nil, err
	}
	var s kubeCluster
	entry, err := find(k.Clusters, "cluster", c.Context.Cluster)
	if err == nil {
		err = decode(entry.Cluster, &s)
	}
	if err != nil {
		return nil, err
	}
	var u kubeUser
	if c.Context.User != "" {
		if entry, err = find(k.Users, "user", c.Context.User); err != nil {
			return nil, err
		}
		if err = decode(entry.User, &u); err != nil {
			return nil, fmt.Errorf("user %q: %w", entry.Name, err)
		}
	}
	proxy, err := proxyFor(s.ProxyURL)
	if err != nil {
		return nil, err
	}
	server, err := url.Parse(s.Server)
	if err != nil || server.Scheme != "http" && server.Scheme != "https" || server.Host == "" ||
		strings.ContainsAny(s.Server, "?#") { // after which no path of a collection can stand
		return nil, fmt.Errorf("server: want http(s)://host, have %.100q",
			s.Server[strings.LastIndexByte(s.Server, '@')+1:]) // before it is a password
	}
	client, err := NewHTTPClient(Options{
		CA: s.CA, CAFile: beside(dir, s.CAFile), ServerName: s.ServerName, Insecure: s.Insecure,
		Cert: u.Cert, CertFile: beside(dir, u.CertFile), Key: u.Key, KeyFile: beside(dir, u.KeyFile),
		Token: u.Token, TokenFile: beside(dir, u.TokenFile), Proxy: proxy,
	})
	return &Cluster{Server: strings.TrimRight(s.Server, "/"), HTTPClient: client,
		Namespace: cmp.Or(c.Context.Namespace, "default")}, err
}

// unique returns an error if two entries of a list have one name, as client-go does, even if the
// current context uses neither: the file does not say which of the two is meant.
func (k *kubeconfig) unique() error {
	for i, entries := range [][]kubeEntry{k.Contexts, k.Clusters, k.Users} {
		names := map[string]bool{}
		for _, e := range entries {
			if names[e.Name] {
				what := []string{"contexts", "clusters", "users"}[i]
				return fmt.Errorf("two %s have the name %.100q: want one of each name", what, e.Name)
			}
			names[e.Name] = true
		}
	}
	return nil
}

// find returns the entry of a name.
func find(entries []kubeEntry, what, name string) (kubeEntry, error) {
	for _, e := range entries {
		if e.Name == name {
			return e, nil
		}
	}
	return kubeEntry{}, fmt.Errorf("there is no %s %.100q", what, name)
}

// decode decodes a cluster or a user. An error names the member that is wrong, and shows no value
// but the two words that kubectl config view, without --raw, prints in place of tokens, keys and
// certificates. Both words are valid base64, so they would be taken for the value.
func decode(entry members, into any) error {
	for _, name := range slices.Sorted(maps.Keys(entry)) {
		value := string(entry[name])
		switch {
		case value == `"REDACTED"` || value == `"DATA+OMITTED"`:
			return fmt.Errorf("%s is %s: kubectl config view has left out the value; "+
				"kubectl config view --raw -o json prints it", name, value)
		case slices.Contains(refused, name) && value != "null":
			return fmt.Errorf("%s is not supported: use a token or a client certificate, "+
				"or go through kubectl proxy", name)
		case strings.HasSuffix(name, "-data"):
			if err := json.Unmarshal(entry[name], new([]byte)); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	text, err := json.Marshal(entry)
	return cmp.Or(err, json.Unmarshal(text, into))
}

// proxyFor returns the proxy that a kubeconfig names, nil for the one of the environment.
func proxyFor(text string) (func(*http.Request) (*url.URL, error), error) {
	proxy, err := url.Parse(text)
	switch {
	case text == "":
		return nil, nil
	case err != nil || proxy.Host == "":
		return nil, errors.New("proxy-url: want http://host:port, https://… or socks5://…")
	case !slices.Contains([]string{"http", "https", "socks5"}, proxy.Scheme):
		return nil, fmt.Errorf("proxy-url: scheme is %.40q, want http, https or socks5",
			proxy.Scheme)
	}
	return http.ProxyURL(proxy), nil
}

// beside makes a relative file name relative to dir.
func beside(dir, file string) string {
	if file == "" || filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(dir, file)
}
