package object

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/status"
)

// An owner is an element of metadata.ownerReferences, in the order in which
// messages show its fields.
type owner struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	UID        string `json:"uid"`
	Controller *bool  `json:"controller,omitempty"`
	Block      *bool  `json:"blockOwnerDeletion,omitempty"`
}

// owners returns the metadata's owner references.
func (m Meta) owners() (owners []owner) {
	if m["ownerReferences"] == nil {
		return nil
	}
	if err := json.Unmarshal(JSON(m["ownerReferences"]), &owners); err != nil {
		panic(err) // FitMeta has checked the types
	}
	return owners
}

func (o owner) controls() bool { return o.Controller != nil && *o.Controller }

// validateOwners adds the errors in owner references.
func validateOwners(errs *status.FieldErrors, owners []owner) {
	const field = "metadata.ownerReferences"
	for i, o := range owners {
		o.validate(errs, fmt.Sprintf("%s[%d]", field, i))
	}
	first := slices.IndexFunc(owners, owner.controls)
	second := slices.IndexFunc(owners[first+1:], owner.controls)
	if first < 0 || second < 0 {
		return
	}
	a, b := owners[first], owners[first+1+second] // the real server repeats this for all others
	errs.Invalid(field, owners, fmt.Sprintf("Only one reference can have Controller set to true. "+
		"Found \"true\" in references for %s/%s and %s/%s", cut(a.Kind), cut(a.Name), cut(b.Kind),
		cut(b.Name)))
}

func cut(name string) string { return status.Cut(name, status.MaxShown) }

func (o owner) validate(errs *status.FieldErrors, at string) {
	if strings.Count(o.APIVersion, "/") > 1 {
		errs.Invalid(at+".apiVersion", o.APIVersion, "must be <group>/<version> or <version>")
	}
	for _, f := range [][2]string{{"apiVersion", o.APIVersion}, {"kind", o.Kind},
		{"name", o.Name}, {"uid", o.UID}} {
		if f[1] == "" {
			errs.Required(at+"."+f[0], "must not be empty")
		}
	}
	if o.APIVersion == "v1" && o.Kind == "Event" { // there are too many, and they expire
		errs.Invalid(at, o, "/v1, Kind=Event is disallowed from being an owner")
	}
}
