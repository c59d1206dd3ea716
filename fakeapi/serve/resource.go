package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi"
)

var (
	groupName = regexp.MustCompile(
		`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
	plainName  = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)
	kindName   = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	selectPath = regexp.MustCompile(`^(\.[A-Za-z_][-A-Za-z0-9_]*)+$`)
)

// addResource adds a value of the flag -resource. A resource may have several versions: objects are
// stored in the first.
func (c *config) addResource(text string) error {
	r, err := parseResource(text)
	if err != nil {
		return err
	}
	for _, other := range c.options.Resources {
		if other.Group == r.Group && other.Kind == r.Kind && other.Plural != r.Plural {
			return fmt.Errorf("the kind %s of %s is served already, as %s",
				r.Kind, other.APIVersion(), other.Plural)
		}
	}
	added := append(slices.Clip(c.options.Resources), r)
	if err := (fakeapi.Options{Resources: added}).Validate(); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "fakeapi: "))
	}
	c.options.Resources = added
	return nil
}

// parseResource reads a resource: group/version/plural=Kind and its traits. The core group is
// written as core, or left empty.
func parseResource(text string) (r fakeapi.Resource, err error) {
	spec, traits, hasTraits := strings.Cut(text, ",")
	path, kind, hasKind := strings.Cut(spec, "=")
	parts := strings.Split(path, "/")
	if !hasKind || len(parts) != 3 {
		return r, fmt.Errorf("expected group/version/plural=Kind, as in example.dev/v1/gadgets=Gadget")
	}
	r = fakeapi.Resource{Group: parts[0], Version: parts[1], Plural: parts[2], Kind: kind}
	if r.Group == "core" {
		r.Group = ""
	}
	switch {
	case r.Group != "" && !groupName.MatchString(r.Group):
		return r, fmt.Errorf("the group %q is not a domain name in small letters", r.Group)
	case !plainName.MatchString(r.Version):
		return r, fmt.Errorf("the version %q is not a name in small letters, such as v1", r.Version)
	case !plainName.MatchString(r.Plural):
		return r, fmt.Errorf("the plural %q is not a name in small letters", r.Plural)
	case r.Plural == "watch" || r.Plural == "namespaces":
		return r, fmt.Errorf("the plural %q has a meaning of its own in paths", r.Plural)
	case !kindName.MatchString(r.Kind):
		return r, fmt.Errorf("the kind %q is not a name that begins with a capital letter", r.Kind)
	}
	if hasTraits {
		err = addTraits(&r, traits)
	}
	return r, err
}
