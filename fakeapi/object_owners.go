package fakeapi

import (
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

// owners are the metadata's owner references.
func (m meta) owners() []owner {
	list, _ := m["ownerReferences"].([]any)
	owners := make([]owner, len(list))
	for i, e := range list {
		o, _ := e.(tree)
		text := meta(o).text
		owners[i] = owner{APIVersion: text("apiVersion"), Kind: text("kind"), Name: text("name"),
			UID: text("uid"), Controller: flag(o["controller"]), Block: flag(o["blockOwnerDeletion"])}
	}
	return owners
}

func flag(v any) *bool {
	if b, ok := v.(bool); ok {
		return &b
	}
	return nil
}

func (o owner) controls() bool { return o.Controller != nil && *o.Controller }

// validateOwners returns the errors in owner references.
func validateOwners(owners []owner) []status.FieldError {
	const field = "metadata.ownerReferences"
	var errs []status.FieldError
	for i, o := range owners {
		if len(errs) >= status.MaxErrors {
			break
		}
		errs = append(errs, o.validate(fmt.Sprintf("%s[%d]", field, i))...)
	}
	first := slices.IndexFunc(owners, owner.controls)
	for _, o := range owners[first+1:] {
		if first >= 0 && o.controls() {
			errs = append(errs, status.InvalidField(field, owners,
				fmt.Sprintf("Only one reference can have "+
					"Controller set to true. Found \"true\" in references for %s/%s and %s/%s",
					status.Cut(owners[first].Kind, status.MaxShown), status.Cut(owners[first].Name,
						status.MaxShown),
					status.Cut(o.Kind, status.MaxShown), status.Cut(o.Name, status.MaxShown))))
			break // the real server repeats this, with all owners, for each further one
		}
	}
	return errs
}

func (o owner) validate(at string) []status.FieldError {
	var errs []status.FieldError
	if strings.Count(o.APIVersion, "/") > 1 {
		errs = append(errs, status.InvalidField(at+".apiVersion", o.APIVersion,
			"must be <group>/<version> or <version>"))
	}
	for _, f := range [][2]string{{"apiVersion", o.APIVersion}, {"kind", o.Kind},
		{"name", o.Name}, {"uid", o.UID}} {
		if f[1] == "" {
			errs = append(errs, status.RequiredField(at+"."+f[0], "must not be empty"))
		}
	}
	if o.APIVersion == "v1" && o.Kind == "Event" { // there are too many, and they expire
		errs = append(errs, status.InvalidField(at, o,
			"/v1, Kind=Event is disallowed from being an owner"))
	}
	return errs
}
