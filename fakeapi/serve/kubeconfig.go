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

// kubeconfigMark is how every kubeconfig that is written here begins.
const kubeconfigMark = `{"kind": "Config", "apiVersion": "v1",
 "extensions": [{"name": "fakeapi/serve", "extension": {"overwritten": "by every run"}}],
`

// kubeconfigText is the rest, without the cluster and the user: the file in which kubectl and
// client
// libraries find a server. It is JSON, which readers of YAML accept.
const kubeconfigText = ` "current-context": "fakeapi",
 "contexts": [{"name": "fakeapi",
   "context": {"cluster": "fakeapi", "user": "fakeapi", "namespace": "default"}}],
 "clusters": [{"name": "fakeapi", "cluster": %s}],
 "users": [{"name": "fakeapi", "user": %s}]}
`

// newKubeconfig returns a kubeconfig for a server. It holds the certificate itself, so that it
// depends on no other file.
func newKubeconfig(url string, id *identity, token string) (text []byte, err error) {
	cluster, user := map[string]any{"server": url}, map[string]string{}
	if id == nil {
		cluster["insecure-skip-tls-verify"] = true // or the JavaScript client refuses plain HTTP
	} else {
		cluster["certificate-authority-data"] = id.pem // base64 in JSON
		// kubectl asks for a user name when it uses TLS and has no credentials.
		token = cmp.Or(token, "any")
	}
	if token != "" {
		user["token"] = token
	}
	c, err1 := json.Marshal(cluster)
	u, err2 := json.Marshal(user)
	return fmt.Appendf(nil, kubeconfigMark+kubeconfigText, c, u), errors.Join(err1, err2)
}

// writeKubeconfig writes a kubeconfig for a server. It stays when the server ends.
func writeKubeconfig(name, url string, id *identity, token string) error {
	text, err := newKubeconfig(url, id, token)
	if err == nil {
		err = writeOwn(name, kubeconfigMark, text, 0o600)
	}
	if err != nil {
		return fmt.Errorf("-kubeconfig: %w", err)
	}
	return nil
}

// writeOwn writes a file whose content begins with a mark. It overwrites only empty files and files
// that begin with the mark: any other may be the user's access to a real cluster.
func writeOwn(name, mark string, content []byte, mode fs.FileMode) error {
	old, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case len(old) > 0 && !bytes.HasPrefix(old, []byte(mark)):
		return fmt.Errorf("%s exists and was not written by this program; "+
			"name another file, or remove it", name)
	}
	return os.WriteFile(name, content, mode)
}
