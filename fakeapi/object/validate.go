package object

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/selector"
	"example.com/watchglass/fakeapi/status"
)

// mustHaveName is the real server's wording.
const mustHaveName = "name or generateName is required"

// ValidateMeta adds all errors in an object's metadata.
func ValidateMeta(errs *status.FieldErrors, typ *resource.Type, m Meta) {
	validateNames(errs, m)
	namespace := m.Text("namespace")
	if why := selector.BadLabel(namespace); !typ.Cluster && why != "" {
		errs.Invalid("metadata.namespace", namespace, why)
	}
	validateLabels(errs, m.Texts("labels"))
	validateAnnotations(errs, m.Texts("annotations"))
	validateOwners(errs, At[[]any](Tree(m), "ownerReferences"))
	validateFinalizers(errs, m.List("finalizers"))
}

func validateNames(errs *status.FieldErrors, m Meta) {
	prefix, name := m.Text("generateName"), m.Text("name")
	if why := selector.BadSubdomain(maskDash(prefix)); prefix != "" && why != "" {
		errs.Invalid("metadata.generateName", prefix, why)
	}
	if name == "" {
		errs.Required("metadata.name", mustHaveName)
	} else if why := selector.BadSubdomain(name); why != "" {
		errs.Invalid("metadata.name", name, why)
	}
}

// maskDash makes a prefix that ends in a dash valid as a name: the server appends more characters.
func maskDash(prefix string) string {
	if len(prefix) > 1 && strings.HasSuffix(prefix, "-") {
		return prefix[:len(prefix)-2] + "a"
	}
	return prefix
}

func validateLabels(errs *status.FieldErrors, labels map[string]string) {
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		validateKey(errs, "metadata.labels", k, k)
		if why := selector.BadValue(labels[k]); why != "" {
			errs.Invalid("metadata.labels", labels[k], why)
		}
	}
}

// validateKey adds the errors in the key of a label or annotation, or in a finalizer. shown
// is the key as the client wrote it.
func validateKey(errs *status.FieldErrors, field, key, shown string) {
	for _, why := range selector.BadKey(key) {
		errs.Invalid(field, shown, why)
	}
}

// maxAnnotations limits the bytes of an object's annotations together.
const maxAnnotations = 256 << 10

func validateAnnotations(errs *status.FieldErrors, annotations map[string]string) {
	const field = "metadata.annotations"
	size := 0
	for k, v := range annotations {
		size += len(k) + len(v)
	}
	if size > maxAnnotations {
		errs.TooLong(field, maxAnnotations)
	}
	for _, k := range slices.Sorted(maps.Keys(annotations)) {
		validateKey(errs, field, strings.ToLower(k), k)
	}
}

// These finalizers tell the garbage collector what to do with an object's dependents. This server
// has no garbage collector: the finalizers stay until a client removes them.
const (
	FinalizerOrphan     = "orphan"
	FinalizerForeground = "foregroundDeletion"
)

func validateFinalizers(errs *status.FieldErrors, list []string) {
	for _, f := range list {
		validateKey(errs, "metadata.finalizers", f, f)
	}
}

// NewFinalizers returns those that m has and was has not.
func NewFinalizers(m, was Meta) []string {
	old := map[string]bool{} // there may be very many
	for _, f := range was.List("finalizers") {
		old[f] = true
	}
	return slices.DeleteFunc(m.List("finalizers"), func(f string) bool { return old[f] })
}

func validateOwners(errs *status.FieldErrors, owners []any) {
	const field = "metadata.ownerReferences"
	var controllers []string
	for i, o := range owners {
		o := Meta(o.(Tree))
		validateOwner(errs, o, fmt.Sprintf("%s[%d]", field, i))
		if o["controller"] == true {
			controllers = append(controllers, o.Text("kind")+"/"+o.Text("name"))
		}
	}
	if len(controllers) > 1 { // the real server repeats this for all others
		errs.Invalid(field, owners, "Only one reference can have Controller set to true. "+
			`Found "true" in references for `+controllers[0]+" and "+controllers[1])
	}
}

func validateOwner(errs *status.FieldErrors, o Meta, at string) {
	for _, field := range []string{"apiVersion", "kind", "name", "uid"} {
		if o.Text(field) == "" {
			errs.Required(at+"."+field, "must not be empty")
		}
	}
}
