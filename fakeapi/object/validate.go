package object

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/status"
)

// ValidateMeta adds all errors in an object's metadata.
func ValidateMeta(errs *status.FieldErrors, typ *Type, m Meta) {
	validateNames(errs, typ, m)
	validateLabels(errs, m.Texts("labels"))
	validateAnnotations(errs, m.Texts("annotations"))
	validateOwners(errs, At[[]any](Tree(m), "ownerReferences"))
	for _, f := range m.List("finalizers") {
		validateKey(errs, "metadata.finalizers", f, f)
	}
}

func validateNames(errs *status.FieldErrors, typ *Type, m Meta) {
	prefix, name, namespace := m.Text("generateName"), m.Text("name"), m.Text("namespace")
	// The server appends more characters to the prefix, which may end in a dash.
	if why := BadSubdomain(prefix + "x"); prefix != "" && why != "" {
		errs.Invalid("metadata.generateName", prefix, why)
	}
	if name == "" {
		errs.Required("metadata.name", "name or generateName is required")
	} else if why := BadSubdomain(name); why != "" {
		errs.Invalid("metadata.name", name, why)
	}
	if why := BadLabel(namespace); !typ.Cluster && why != "" {
		errs.Invalid("metadata.namespace", namespace, why)
	}
}

func validateLabels(errs *status.FieldErrors, labels map[string]string) {
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		validateKey(errs, "metadata.labels", k, k)
		if why := BadValue(labels[k]); why != "" {
			errs.Invalid("metadata.labels", labels[k], why)
		}
	}
}

// validateKey adds the errors in the key of a label or annotation, or in a finalizer. shown
// is the key as the client wrote it.
func validateKey(errs *status.FieldErrors, field, key, shown string) {
	for _, why := range BadKey(key) {
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
		for _, required := range []string{"apiVersion", "kind", "name", "uid"} {
			if o.Text(required) == "" {
				errs.Required(fmt.Sprintf("%s[%d].%s", field, i, required), "must not be empty")
			}
		}
		if o["controller"] == true {
			controllers = append(controllers, o.Text("kind")+"/"+o.Text("name"))
		}
	}
	if len(controllers) > 1 { // the real server repeats this for all others
		errs.Invalid(field, owners, "Only one reference can have Controller set to true. "+
			`Found "true" in references for `+controllers[0]+" and "+controllers[1])
	}
}
