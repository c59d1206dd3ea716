package object

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"example.com/watchglass/fakeapi/status"
)

// A Strictness says what happens if a body has unknown fields in its metadata. It is the query
// parameter fieldValidation. In any case unknown metadata fields are not stored. Of duplicate
// fields the last counts, without a word.
type Strictness string

// The values of fieldValidation.
const (
	StrictIgnore Strictness = "Ignore"
	StrictWarn   Strictness = "Warn"   // a Warning header for each; so does ""
	StrictFail   Strictness = "Strict" // the request is refused
)

// Decode decodes the body of a create or an update and checks its type and its metadata.
// warnings are about unknown fields; there are none with Ignore. The error is a *status.Status.
func Decode(typ *Type, body []byte, s Strictness) (t Tree, warnings []string, err error) {
	if t, err = decodeTyped(typ, body); err != nil {
		return nil, nil, status.BadRequest("the object provided is unrecognized (must be of type %s): "+
			"%v", typ.Kind, err)
	}
	if err := CheckKind(typ, t); err != nil {
		return nil, nil, err
	}
	if warnings, err = Fit(typ, t, s); err != nil {
		return nil, nil, status.BadRequest("%s in version %q cannot be handled as a %[1]s: %[3]v",
			typ.Kind, typ.Version, err)
	}
	return t, warnings, nil
}

// Fit checks a decoded object against the schema of its type and normalizes it: it removes nulls
// and unknown fields of the metadata. Only after it do the methods of Meta return correct values.
// It returns a warning for each unknown field; the error may be that s refuses them.
func Fit(typ *Type, t Tree, s Strictness) (warnings []string, err error) {
	if t["metadata"] == nil {
		t["metadata"] = Tree{}
	}
	unknown, err := Metadata.Check("metadata", t["metadata"])
	if body := schemas[typ.QualifiedName()]; body != nil && typ.Builtin() && err == nil {
		_, err = body.fit(&unknown, "", t)
	}
	if err != nil || s == StrictIgnore {
		return nil, err
	}
	for _, path := range unknown[:min(len(unknown), status.MaxErrors)] {
		warnings = append(warnings, "unknown field "+status.Show(path))
	}
	if s == StrictFail && len(warnings) > 0 {
		return nil, errors.New("strict decoding error: " + strings.Join(warnings, ", "))
	}
	return warnings, nil
}

// decodeTyped decodes a body, and checks that it has a kind and an apiVersion.
func decodeTyped(typ *Type, body []byte) (Tree, error) {
	t, err := DecodeTree(body)
	if err != nil {
		return nil, fmt.Errorf("couldn't get version/kind; json parse error: %w", err)
	}
	return t, checkTyped(typ, t, body)
}

// checkTyped checks that an object has a kind and an apiVersion, or may do without. text is what
// the message shows of it.
func checkTyped(typ *Type, t Tree, text []byte) error {
	_, err := Record{"kind": String, "apiVersion": String, Others: nil}.Check("", t)
	if err != nil {
		return fmt.Errorf("couldn't get version/kind; json parse error: %w", err)
	}
	if kind, _ := typeOf(typ, t); kind == "" {
		// A real server's sentence begins with a capital.
		return fmt.Errorf("%s is missing in '%s'", "Object 'Kind'", status.Cut(string(text), 1024))
	}
	return nil
}

// typeOf returns an object's kind and apiVersion. An object of a built-in type gets those that
// it lacks.
func typeOf(typ *Type, t Tree) (kind, version string) {
	kind, _ = t["kind"].(string)
	version, _ = t["apiVersion"].(string)
	if typ.Builtin() {
		kind, version = cmp.Or(kind, typ.Kind), cmp.Or(version, typ.APIVersion())
		t["kind"], t["apiVersion"] = kind, version
	}
	return kind, version
}

// CheckKind refuses a body that is not of the resource's type, except a custom resource of another
// kind: see CheckCustom. An object of a built-in type gets the kind and the apiVersion that it
// lacks. The error is a *status.Status.
func CheckKind(typ *Type, t Tree) error {
	switch kind, version := typeOf(typ, t); {
	case typ.Builtin() && kind != typ.Kind:
		return status.BadRequest("%s in version %q cannot be handled as a %s: no kind %q is registered "+
			"for version %q", kind, typ.Version, typ.Kind, kind, version)
	case version != typ.APIVersion():
		return status.BadRequest("the API version in the data (%s) does not match the expected API "+
			"version (%s)", version, typ.APIVersion())
	}
	return nil
}

// CheckPatched checks the outcome of a patch as Decode checks a body, but with other errors. It
// returns the same warnings.
func CheckPatched(typ *Type, t Tree, s Strictness) (warnings []string, err error) {
	text := JSON(t)
	if err = checkTyped(typ, t, text); err == nil {
		kind, version := typeOf(typ, t)
		switch {
		case version == "": // a mistake of the real server's
			return nil, status.InternalError("%s is missing in 'object has no apiVersion field'",
				"Object 'apiVersion'")
		case typ.Builtin() && (kind != typ.Kind || version != typ.APIVersion()):
			err = fmt.Errorf("no kind %q is registered for version %q", kind, version)
		default:
			warnings, err = Fit(typ, t, s)
		}
	}
	if err != nil {
		err = status.InvalidValue(status.About{}, "patch", string(text), err.Error())
	}
	return warnings, err
}

// CheckCustom refuses a custom resource whose kind or apiVersion is not that of the resource. A
// real server does so when it validates the object, so not for a status. The error is a
// *status.Status.
func CheckCustom(typ *Type, t Tree) error {
	var errs status.FieldErrors
	kind, version := typeOf(typ, t)
	if kind != typ.Kind {
		errs.Invalid("kind", kind, "must be "+typ.Kind)
	}
	if version != typ.APIVersion() {
		errs.Invalid("apiVersion", version, "must be "+typ.APIVersion())
	}
	if len(errs) == 0 {
		return nil
	}
	group, _, _ := strings.Cut(version, "/")
	return status.Invalid(status.About{Group: group, Kind: kind, Name: MetaOf(t).Text("name")}, errs)
}

// FitNamespace sets the object's namespace to that of the request's path. It is an error if the
// object names another one.
func FitNamespace(t Tree, namespace string) error {
	m := MetaOf(t)
	switch m.Text("namespace") {
	case namespace:
	case "":
		m["namespace"] = namespace
	default:
		return status.BadRequest("the namespace of the provided object does not match the namespace " +
			"sent on the request")
	}
	return nil
}

// FitName returns an error if an update does not name the object of its path.
func FitName(t Tree, want string) error {
	switch name := MetaOf(t).Text("name"); name {
	case want:
		return nil
	case "":
		return status.BadRequest("the name of the object (%s based on URL) was undeterminable: "+
			"name must be provided", want)
	default:
		return status.BadRequest("the name of the object (%s) does not match the name on the URL (%s)",
			name, want)
	}
}
