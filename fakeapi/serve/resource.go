package main

import (
	"fmt"
	"regexp"
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

// addResource is the flag -resource.
func (c *config) addResource(text string) error {
	r, err := parseResource(text)
	if err != nil {
		return err
	}
	for _, other := range c.options.Resources {
		switch {
		case other.QualifiedName() == r.QualifiedName():
			return fmt.Errorf("%s is served already", r.QualifiedName())
		case other.Group == r.Group && other.Kind == r.Kind:
			return fmt.Errorf("the kind %s of %s is served already, as %s",
				r.Kind, r.APIVersion(), other.Plural)
		}
	}
	c.options.Resources = append(c.options.Resources, r)
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
		return r, fmt.Errorf("the group %q is no domain name in small letters", r.Group)
	case !plainName.MatchString(r.Version):
		return r, fmt.Errorf("the version %q is none: expected something like v1", r.Version)
	case !plainName.MatchString(r.Plural):
		return r, fmt.Errorf("the plural %q is no name in small letters", r.Plural)
	case r.Plural == "watch" || r.Plural == "namespaces":
		return r, fmt.Errorf("the plural %q has a meaning of its own in paths", r.Plural)
	case !kindName.MatchString(r.Kind):
		return r, fmt.Errorf("the kind %q is no name that begins with a capital letter", r.Kind)
	}
	if hasTraits {
		err = addTraits(&r, traits)
	}
	return r, err
}

// addTraits reads what follows the kind.
func addTraits(r *fakeapi.Resource, traits string) error {
	for trait := range strings.SplitSeq(traits, ",") {
		path, isSelect := strings.CutPrefix(trait, "select=")
		switch {
		case trait == "cluster":
			r.Cluster = true
		case trait == "status":
			r.Status = true
		case isSelect && !selectPath.MatchString(path):
			return fmt.Errorf("%q is no path to select by: expected something like .spec.color", path)
		case isSelect:
			r.Select = append(r.Select, path)
		default:
			return fmt.Errorf("%q is none of cluster, status and select=.path", trait)
		}
	}
	return nil
}
