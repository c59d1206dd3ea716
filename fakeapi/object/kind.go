package object

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
)

// typeOf reads kind and apiVersion from a body, before anything else is decoded. The
// errors of encoding/json are those of the real server, because it decodes into the
// same struct. Custom resources must have a kind; built-in types get both if they are
// missing.
func typeOf(typ *resource.Type, body []byte) (kind, apiVersion string, err error) {
	var probe struct {
		APIVersion string `json:"apiVersion,omitempty"`
		Kind       string `json:"kind,omitempty"`
	}
	if err := json.Unmarshal(body, &probe); err != nil {
		return "", "", fmt.Errorf("couldn't get version/kind; json parse error: %w", err)
	}
	kind, apiVersion = probe.Kind, probe.APIVersion
	if strings.Count(apiVersion, "/") > 1 {
		return "", "", fmt.Errorf("unexpected GroupVersion string: %s", apiVersion)
	}
	if typ.Builtin() {
		kind, apiVersion = cmp.Or(kind, typ.Kind), cmp.Or(apiVersion, typ.APIVersion())
	}
	if kind == "" {
		//lint:ignore ST1005 these are the real server's words, and clients see them
		return "", "", fmt.Errorf("Object 'Kind' is missing in '%s'", excerpt(body))
	}
	return kind, apiVersion, nil
}

// CheckKind refuses an object that is not of the resource's type. It sets t's kind and
// apiVersion. The error is a *status.Status.
func CheckKind(typ *resource.Type, t Tree, kind, version string) error {
	switch {
	case typ.Builtin() && kind != typ.Kind:
		return status.BadRequest("%s in version %q cannot be handled as a %s: no kind %q is registered "+
			"for version %q", kind, typ.Version, typ.Kind, kind, version)
	case version != typ.APIVersion():
		return status.BadRequest("the API version in the data (%s) does not match the expected API "+
			"version (%s)", version, typ.APIVersion())
	case kind != typ.Kind:
		name, _ := Lookup(t, "metadata.name")
		text, _ := name.(string)
		return status.InvalidValue(status.About{Group: typ.Group, Kind: kind, Name: text},
			"kind", kind, "must be "+typ.Kind)
	}
	t["kind"], t["apiVersion"] = kind, version
	return nil
}

// excerpt returns the beginning of a body, for messages.
func excerpt(body []byte) string {
	const most = 1024
	if len(body) > most {
		return string(body[:most]) + "..."
	}
	return string(body)
}

// summary returns a very short excerpt, in hexadecimal if it does not begin with a brace.
func summary(body []byte) string {
	const most = 30
	dots := ""
	if len(body) > most {
		body, dots = body[:most], " ..."
	}
	switch {
	case len(body) == 0:
		return "<empty>"
	case body[0] == '{':
		return string(body) + dots
	}
	return hex.EncodeToString(body) + dots
}

// CheckPatchedKind returns an error if a patch has changed the type of an object.
func CheckPatchedKind(typ *resource.Type, t Tree) error {
	kind, _ := t["kind"].(string)
	version, _ := t["apiVersion"].(string)
	name, _ := Lookup(t, "metadata.name")
	text, _ := name.(string)
	switch {
	case typ.Builtin():
		return CheckKind(typ, t, cmp.Or(kind, typ.Kind), cmp.Or(version, typ.APIVersion()))
	case kind == "":
		b := JSON(t)
		return status.InvalidPatch(b, errors.New("Object 'Kind' is missing in '"+excerpt(b)+"'"))
	case version == "":
		return status.InternalFailure("Object 'apiVersion' is missing in " +
			"'object has no apiVersion field'")
	case kind != typ.Kind:
		return status.InvalidValue(status.About{Group: typ.Group, Kind: kind, Name: text},
			"kind", kind, "must be "+typ.Kind)
	case version != typ.APIVersion():
		group, _, ok := strings.Cut(version, "/")
		if !ok {
			group = "" // "v2" is a version of the core group
		}
		return status.InvalidValue(status.About{Group: group, Kind: kind, Name: text},
			"apiVersion", version, "must be "+typ.APIVersion())
	}
	return nil
}
