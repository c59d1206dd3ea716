package query

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
)

// A continueToken says where a list goes on. It is the content of the opaque string in
// metadata.continue, in the real server's own encoding, unpadded URL base64 of JSON.
// Start is the last key of the page before, relative to the selection's prefix, with
// a NUL added: the least key above it.
type continueToken struct {
	APIVersion string `json:"v"`
	Version    int64  `json:"rv"`    // of the first page; negative: the present one
	Start      string `json:"start"` // "/web-2\x00"
}

const tokenVersion = "meta.k8s.io/v1"

// AnyVersion in a token: go on at the present state, even if that is not the
// one the list began with.
const AnyVersion = -1

// ContinueAfter returns the token that goes on after a key. prefix is that of the
// selection: a namespaced list must not be continued in another namespace.
func ContinueAfter(version int64, prefix, key string) string {
	b, err := json.Marshal(continueToken{tokenVersion, version,
		"/" + strings.TrimPrefix(key, prefix) + "\x00"})
	if err != nil {
		panic(err) // strings and a number
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// readToken decodes a continue parameter. start is the key at which the page begins.
func readToken(text, prefix string) (t continueToken, start string, err error) {
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return t, "", err
	}
	if err := json.Unmarshal(b, &t); err != nil {
		return t, "", err
	}
	switch {
	case t.APIVersion != tokenVersion:
		return t, "", fmt.Errorf("server does not recognize this encoded version %s", t.APIVersion)
	case t.Version == 0:
		return t, "", fmt.Errorf("incorrect encoded start resourceVersion (version %s)", tokenVersion)
	case t.Start == "":
		return t, "", fmt.Errorf("encoded start key empty (version %s)", tokenVersion)
	}
	// A client can forge a token: it must not lead out of the selection.
	key := "/" + strings.TrimPrefix(t.Start, "/")
	if path.Clean(key) != key {
		return t, "", errors.New(t.Start)
	}
	return t, prefix + key[1:], nil
}
