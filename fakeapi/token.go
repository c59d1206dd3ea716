package fakeapi

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
)

// A token is where a list goes on: what the opaque string in metadata.continue
// holds, in the real server's own encoding, unpadded URL base64 of JSON. Start
// is the last key of the page before, relative to the selection's prefix, with
// a NUL added: the least key above it.
type token struct {
	APIVersion string `json:"v"`
	Version    int64  `json:"rv"`    // of the first page; -1: whatever is present
	Start      string `json:"start"` // "/web-2\x00"
}

const tokenVersion = "meta.k8s.io/v1"

// anyVersion in a token: go on at the present state, even if that is not the
// one the list began with.
const anyVersion = -1

// continueAfter is the token that goes on after a key. prefix is that of the
// selection: a namespaced list must not be continued in another namespace.
func continueAfter(version int64, prefix, key string) string {
	b, err := json.Marshal(token{tokenVersion, version,
		"/" + strings.TrimPrefix(key, prefix) + "\x00"})
	if err != nil {
		panic(err) // strings and a number
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// readToken is the token behind a continue parameter, and the key to start at.
func readToken(text, prefix string) (t token, start string, err error) {
	b, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil {
		return t, "", err
	}
	if err := json.Unmarshal(b, &t); err != nil {
		return t, "", err
	}
	switch {
	case t.APIVersion != tokenVersion:
		return t, "", errors.New("the version of the token is unknown")
	case t.Version == 0 || t.Version < anyVersion:
		return t, "", errors.New("the token has no resource version")
	case t.Start == "":
		return t, "", errors.New("the token has no start key")
	case strings.Contains(t.Start, ".."):
		return t, "", errors.New("the token has an invalid start key")
	}
	return t, prefix + strings.TrimPrefix(t.Start, "/"), nil
}
