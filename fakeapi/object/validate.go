package object

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/selector"
	"example.com/watchglass/fakeapi/status"
)

// The real server's words for two errors.
const (
	mustHaveName   = "name or generateName is required"
	mustHaveDomain = "name is neither a standard finalizer name nor is it fully qualified"
)

// ValidateMeta adds all errors in an object's metadata.
func ValidateMeta(errs *status.FieldErrors, typ *resource.Type, m Meta) {
	validateNames(errs, m)
	if !typ.Cluster {
		if why := selector.BadLabel(m.Text("namespace")); why != "" {
			errs.Invalid("metadata.namespace", m.Text("namespace"), why)
		}
	}
	validateLabels(errs, m.Texts("labels"))
	validateAnnotations(errs, m.Texts("annotations"))
	validateOwners(errs, m.owners())
	validateFinalizers(errs, typ, m.List("finalizers"))
}

func validateNames(errs *status.FieldErrors, m Meta) {
	if prefix := m.Text("generateName"); prefix != "" {
		if why := selector.BadSubdomain(maskDash(prefix)); why != "" {
			errs.Invalid("metadata.generateName", prefix, why)
		}
	}
	name := m.Text("name")
	if name == "" {
		errs.Required("metadata.name", mustHaveName)
	} else if why := selector.BadSubdomain(name); why != "" {
		errs.Invalid("metadata.name", name, why)
	}
}

// maskDash makes a prefix that ends in a dash valid as a name: the server appends more
// characters.
func maskDash(prefix string) string {
	if len(prefix) > 1 && strings.HasSuffix(prefix, "-") {
		return prefix[:len(prefix)-2] + "a"
	}
	return prefix
}

func validateLabels(errs *status.FieldErrors, labels map[string]string) {
	for _, k := range sortedKeys(labels) {
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

// maxAnnotations is how many bytes an object's annotations may have together.
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
	for _, k := range sortedKeys(annotations) {
		validateKey(errs, field, strings.ToLower(k), k)
	}
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// These finalizers tell the garbage collector what to do with an object's dependents.
// This server has no garbage collector: the finalizers stay until a client removes
// them.
const (
	FinalizerOrphan     = "orphan"
	FinalizerForeground = "foregroundDeletion"
)

// isStandard reports whether a finalizer needs no domain.
func isStandard(finalizer string) bool {
	return finalizer == "kubernetes" || finalizer == FinalizerOrphan ||
		finalizer == FinalizerForeground
}

// validateFinalizers adds the errors in a list of finalizers. A finalizer without a domain
// is an error in built-in types; in custom resources it only causes a warning.
func validateFinalizers(errs *status.FieldErrors, typ *resource.Type, list []string) {
	const field = "metadata.finalizers"
	for i, f := range list {
		validateKey(errs, field, f, f)
		if typ.Builtin() && !strings.Contains(f, "/") && !isStandard(f) {
			errs.Invalid(fmt.Sprintf("%s[%d]", field, i), f, mustHaveDomain)
		}
	}
	if slices.Contains(list, FinalizerOrphan) && slices.Contains(list, FinalizerForeground) {
		errs.Invalid(field, list, "finalizer orphan and foregroundDeletion cannot be both set")
	}
}

// FinalizerWarnings returns a warning for each finalizer of a custom resource that is new in
// m and has no domain: another writer might use the same name.
func FinalizerWarnings(typ *resource.Type, was, m Meta) []string {
	var warnings []string
	for _, f := range NewFinalizers(m, was) {
		if len(warnings) >= maxFlaws {
			break
		}
		if !typ.Builtin() && !strings.Contains(f, "/") && !isStandard(f) {
			warnings = append(warnings, "metadata.finalizers: "+status.Show(f)+": prefer a "+
				"domain-qualified finalizer name to avoid accidental conflicts with other "+
				"finalizer writers")
		}
	}
	return warnings
}

// NewFinalizers returns those that m has and was has not.
func NewFinalizers(m, was Meta) []string {
	old := map[string]bool{} // there may be very many
	for _, f := range was.List("finalizers") {
		old[f] = true
	}
	return slices.DeleteFunc(m.List("finalizers"), func(f string) bool { return old[f] })
}

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
		panic(err) // Fit has checked the types
	}
	return owners
}

// validateOwners adds the errors in owner references.
func validateOwners(errs *status.FieldErrors, owners []owner) {
	const field = "metadata.ownerReferences"
	var controllers []string
	for i, o := range owners {
		o.validate(errs, fmt.Sprintf("%s[%d]", field, i))
		if o.Controller != nil && *o.Controller {
			controllers = append(controllers, cut(o.Kind)+"/"+cut(o.Name))
		}
	}
	if len(controllers) > 1 { // the real server repeats this for all others
		errs.Invalid(field, owners, "Only one reference can have Controller set to true. "+
			`Found "true" in references for `+controllers[0]+" and "+controllers[1])
	}
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
