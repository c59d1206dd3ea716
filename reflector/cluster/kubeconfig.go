package cluster

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
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
// kubectl itself writes YAML, which is refused with this advice. context names the context to use;
// empty means the file's current-context. Relative file names in the kubeconfig are relative to its
// own directory, as in kubectl.
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

// kubeEntry is an entry of one of the three lists; only the field of that list is in it.
type kubeEntry struct {
	Name    string      `json:"name"`
	Context kubeContext `json:"context"`
	Cluster kubeCluster `json:"cluster"`
	User    kubeUser    `json:"user"`
}

type kubeContext struct {
	Cluster   string `json:"cluster"`
	User      string `json:"user"`
	Namespace string `json:"namespace"`
}

type kubeCluster struct {
	Server     string `json:"server"`
	CAFile     string `json:"certificate-authority"`
	CA         string `json:"certificate-authority-data"`
	ServerName string `json:"tls-server-name"`
	Insecure   bool   `json:"insecure-skip-tls-verify"`
	ProxyURL   string `json:"proxy-url"`
}

type kubeUser struct {
	Token     string `json:"token"`
	TokenFile string `json:"tokenFile"`
	CertFile  string `json:"client-certificate"`
	Cert      string `json:"client-certificate-data"`
	KeyFile   string `json:"client-key"`
	Key       string `json:"client-key-data"`

	// These are refused. They are RawMessage because only their presence matters.
	Exec         json.RawMessage `json:"exec"`
	AuthProvider json.RawMessage `json:"auth-provider"`
	Username     json.RawMessage `json:"username"`
	Password     json.RawMessage `json:"password"`
	As           json.RawMessage `json:"as"`
	AsUID        json.RawMessage `json:"as-uid"`
	AsGroups     json.RawMessage `json:"as-groups"`
	AsUserExtra  json.RawMessage `json:"as-user-extra"`
}

// refused names the first entry of u that is not supported; "" if there is none.
func (u *kubeUser) refused() string {
	for _, entry := range []struct {
		name  string
		value json.RawMessage
	}{
		{"exec", u.Exec}, {"auth-provider", u.AuthProvider},
		{"username", u.Username}, {"password", u.Password},
		{"as", u.As}, {"as-uid", u.AsUID}, {"as-groups", u.AsGroups},
		{"as-user-extra", u.AsUserExtra},
	} {
		if value := string(entry.value); value != "" && value != "null" {
			return entry.name
		}
	}
	return ""
}

// parseKubeconfig makes a Cluster of a kubeconfig in the directory dir.
func parseKubeconfig(data []byte, dir, context string) (*Cluster, error) {
	if text := bytes.TrimSpace(data); len(text) == 0 || text[0] != '{' {
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
	if context == "" {
		context = config.CurrentContext
	}
	if context == "" {
		return nil, errors.New("there is no current-context: name the context to use")
	}
	return config.cluster(context, dir)
}

// cluster follows the names from a context to its cluster and its user. A context without a user
// is anonymous.
func (k *kubeconfig) cluster(context, dir string) (*Cluster, error) {
	c, err := find(k.Contexts, "context", context)
	if err != nil {
		return nil, err
	}
	server, err := find(k.Clusters, "cluster", c.Context.Cluster)
	if err != nil {
		return nil, fmt.Errorf("context %q: %w", context, err)
	}
	var user kubeEntry
	if c.Context.User != "" {
		if user, err = find(k.Users, "user", c.Context.User); err != nil {
			return nil, fmt.Errorf("context %q: %w", context, err)
		}
	}
	if entry := user.User.refused(); entry != "" {
		return nil, fmt.Errorf("user %q: %s is not supported: use a token or a client "+
			"certificate, or go through kubectl proxy", user.Name, entry)
	}
	cluster, err := newCluster(server.Cluster, user.User, dir)
	if err != nil {
		return nil, fmt.Errorf("context %q: %w", context, err)
	}
	cluster.Namespace = cmp.Or(c.Context.Namespace, "default")
	return cluster, nil
}

// find returns the first entry of that name, as client-go does.
func find(entries []kubeEntry, what, name string) (kubeEntry, error) {
	for _, e := range entries {
		if e.Name == name {
			return e, nil
		}
	}
	return kubeEntry{}, fmt.Errorf("there is no %s %.100q", what, name)
}

// newCluster checks the values and makes the HTTP client.
func newCluster(s kubeCluster, u kubeUser, dir string) (*Cluster, error) {
	server, err := url.Parse(s.Server)
	if err != nil || server.Scheme != "http" && server.Scheme != "https" || server.Host == "" ||
		strings.ContainsAny(s.Server, "?#") { // after which no path of a collection can stand
		return nil, fmt.Errorf("server: want http(s)://host, have %.100q", s.Server)
	}
	ca, errCA := fromBase64("certificate-authority-data", s.CA)
	cert, errCert := fromBase64("client-certificate-data", u.Cert)
	key, errKey := fromBase64("client-key-data", u.Key)
	if err := cmp.Or(errCA, errCert, errKey, printed("token", u.Token)); err != nil {
		return nil, err
	}
	proxy, err := proxyFor(s.ProxyURL)
	if err != nil {
		return nil, err
	}
	client, err := NewHTTPClient(Options{
		CA: ca, CAFile: beside(dir, s.CAFile), ServerName: s.ServerName, Insecure: s.Insecure,
		Cert: cert, CertFile: beside(dir, u.CertFile), Key: key, KeyFile: beside(dir, u.KeyFile),
		Token: u.Token, TokenFile: beside(dir, u.TokenFile), Proxy: proxy,
	})
	if err != nil {
		return nil, err
	}
	return &Cluster{Server: strings.TrimRight(s.Server, "/"), HTTPClient: client}, nil
}

// fromBase64 decodes the value of a field. Its error does not show the value.
func fromBase64(field, value string) ([]byte, error) {
	if err := printed(field, value); err != nil {
		return nil, err
	}
	data, err := base64.StdEncoding.DecodeString(value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", field, err)
	}
	return data, nil
}

// printed returns an error if value is one of the two words that kubectl config view, without
// --raw, prints in place of tokens, keys and certificates. Both are valid base64, so they would be
// taken for the value.
func printed(field, value string) error {
	if value != "REDACTED" && value != "DATA+OMITTED" {
		return nil
	}
	return fmt.Errorf("%s is %q: kubectl config view has left out the value; "+
		"kubectl config view --raw -o json prints it", field, value)
}

// proxyFor returns the proxy that a kubeconfig names, nil for the one of the environment.
func proxyFor(text string) (func(*http.Request) (*url.URL, error), error) {
	if text == "" {
		return nil, nil
	}
	proxy, err := url.Parse(text)
	if err != nil || proxy.Host == "" {
		return nil, errors.New("proxy-url: want http://host:port, https://… or socks5://…")
	}
	switch proxy.Scheme {
	case "http", "https", "socks5":
		return http.ProxyURL(proxy), nil
	}
	return nil, fmt.Errorf("proxy-url: scheme is %.40q, want http, https or socks5",
		proxy.Scheme)
}

// beside makes a relative file name relative to dir.
func beside(dir, file string) string {
	if file == "" || filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(dir, file)
}
