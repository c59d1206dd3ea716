package main

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// mark is the first line of every kubeconfig written here, by which it is known again.
const mark = "# Written by fakeapi/serve, which overwrites it."

// writeKubeconfig writes a kubeconfig for a server. The certificate is in the file itself, so it
// depends on nothing else. The file stays when the server ends. One that somebody else has written
// is never overwritten: it may hold the keys to a real cluster.
func writeKubeconfig(name, url string, id *identity, token string) error {
	old, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("-kubeconfig: %w", err)
	case len(old) > 0 && !bytes.HasPrefix(old, []byte(mark)):
		return fmt.Errorf("-kubeconfig: %s exists and was not written by this program; "+
			"name another file, or remove it", name)
	}
	if err := os.WriteFile(name, kubeconfig(url, id, token), 0o600); err != nil {
		return fmt.Errorf("-kubeconfig: %w", err)
	}
	return nil
}

// kubeconfig is the file's text.
func kubeconfig(url string, id *identity, token string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `%s
apiVersion: v1
kind: Config
current-context: fakeapi
contexts:
- name: fakeapi
  context: {cluster: fakeapi, user: fakeapi, namespace: default}
clusters:
- name: fakeapi
  cluster:
    server: %s
`, mark, url)
	if id != nil {
		fmt.Fprintf(&b, "    certificate-authority-data: %s\n",
			base64.StdEncoding.EncodeToString(id.pem))
	}
	b.WriteString("users:\n- name: fakeapi\n")
	if token == "" {
		b.WriteString("  user: {}\n")
	} else {
		fmt.Fprintf(&b, "  user:\n    token: %q\n", token) // visible ASCII: Go's quotes are YAML's
	}
	return b.Bytes()
}
