package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi"
)

// resourceText is a value of the flag -resource: the group, the version, the plural and the kind.
var resourceText = regexp.MustCompile(
	`^([a-z0-9][-a-z0-9.]*[a-z0-9]|)/([a-z][-a-z0-9]*)/([a-z][-a-z0-9]*)=([A-Z][A-Za-z0-9]*)$`)

// addResource adds a value of the flag -resource. A resource may have several versions: objects are
// stored in the first.
func (c *config) addResource(text string) error {
	parts := resourceText.FindStringSubmatch(text)
	if parts == nil {
		return errors.New("expected group/version/plural=Kind, as in example.dev/v1/gadgets=Gadget")
	}
	r := fakeapi.Resource{Group: parts[1], Version: parts[2], Plural: parts[3], Kind: parts[4]}
	if r.Group == "core" {
		r.Group = ""
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
