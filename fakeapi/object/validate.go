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
	validateFinalizers(errs, typ, m.List("finalizers"))
}

func validateNames(errs *status.FieldErrors, typ *Type, m Meta) {
	prefix, name, namespace := m.Text("generateName"), m.Text("name"), m.Text("namespace")
	bad := nameRule(typ)
	if prefix != "" {
		if why := bad(maskDash(prefix)); why != "" {
			errs.Invalid("metadata.generateName", prefix, why)
		}
	}
	if name == "" {
		errs.Required("metadata.name", "name or generateName is required")
	} else if why := bad(name); why != "" {
		errs.Invalid("metadata.name", name, why)
	}
	if why := BadLabel(namespace); !typ.Cluster && why != "" {
		errs.Invalid("metadata.namespace", namespace, why)
	}
}

func validateLabels(errs *status.FieldErrors, labels map[string]string) {
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		validateKey(errs, "metadata.labels", k, k)
		if why := badValue(labels[k]); why != "" {
			errs.Invalid("metadata.labels", labels[k], why)
		}
	}
}

// validateKey adds the errors in the key of a label or annotation, or in a finalizer. shown
// is the key as the client wrote it.
func validateKey(errs *status.FieldErrors, field, key, shown string) {
	for _, why := range badKey(key) {
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

// These finalizers tell the garbage collector what to do with an object's dependents.
const (
	FinalizerOrphan     = "orphan"
	FinalizerForeground = "foregroundDeletion"
)

// standardFinalizers are the only ones of built-in types that need no domain.
var standardFinalizers = []string{"kubernetes", FinalizerOrphan, FinalizerForeground}

// isUnqualified reports whether a finalizer has no domain, and is none of the standard ones.
func isUnqualified(finalizer string) bool {
	return !strings.Contains(finalizer, "/") && !slices.Contains(standardFinalizers, finalizer)
}

func validateFinalizers(errs *status.FieldErrors, typ *Type, finalizers []string) {
	const field = "metadata.finalizers"
	for _, f := range finalizers {
		validateKey(errs, field, f, f)
	}
	// In a real server, these groups have the rules of custom resources, too.
	free := []string{"coordination.k8s.io", "apiextensions.k8s.io", "admissionregistration.k8s.io"}
	for i, f := range finalizers {
		if typ.Builtin() && !slices.Contains(free, typ.Group) && isUnqualified(f) {
			errs.Invalid(fmt.Sprintf("%s[%d]", field, i), f,
				"name is neither a standard finalizer name nor is it fully qualified")
		}
	}
	if slices.Contains(finalizers, FinalizerOrphan) &&
		slices.Contains(finalizers, FinalizerForeground) {
		errs.Invalid(field, finalizers,
			"finalizer orphan and foregroundDeletion cannot be both set")
	}
}

// OwnerWarnings returns the warning about owners that an object names twice; Tidy drops the second
// of two equal ones. in says where they come from: nothing for a body.
func OwnerWarnings(t Tree, in string) []string {
	_, twice := MetaOf(t).owners()
	if len(twice) == 0 {
		return nil
	}
	return []string{".metadata.ownerReferences contains duplicate entries" + in + "; API server " +
		"dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix " +
		"your requests; duplicate UID(s) observed: " + strings.Join(twice, ", ")}
}

// owners returns each owner once, and the UIDs of those that come again.
func (m Meta) owners() (once []any, twice []string) {
	seen := map[string]bool{}
	for _, o := range At[[]any](Tree(m), ".ownerReferences") {
		if text := string(JSON(o)); seen[text] {
			o, _ := o.(Tree)
			twice = append(twice, TextAt(o, ".uid"))
		} else {
			seen[text] = true
			once = append(once, o)
		}
	}
	return once, twice
}

// FinalizerWarnings returns the warnings about finalizers that a custom resource gets. was is the
// object before the write, nil for a new one.
func FinalizerWarnings(typ *Type, was, t Tree) (warnings []string) {
	if typ.Builtin() {
		return nil
	}
	var old Meta
	if was != nil {
		old = MetaOf(was)
	}
	for _, f := range NewFinalizers(MetaOf(t), old) {
		if !isUnqualified(f) {
			continue
		}
		including := ""
		if strings.Contains(f, ".") {
			including = " including a path (/)"
		}
		warnings = append(warnings, fmt.Sprintf("metadata.finalizers: %s: prefer a domain-qualified "+
			"finalizer name%s to avoid accidental conflicts with other finalizer writers",
			status.Show(f), including))
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
		validateOwner(errs, fmt.Sprintf("%s[%d]", field, i), o)
		if o["controller"] == true {
			controllers = append(controllers, o.Text("kind")+"/"+o.Text("name"))
		}
	}
	if len(controllers) > 1 { // the real server repeats this for all others
		errs.Invalid(field, owners, "Only one reference can have Controller set to true. "+
			`Found "true" in references for `+controllers[0]+" and "+controllers[1])
	}
}

// validateOwner adds the errors in the type of an owner. An event is none: events are deleted soon.
func validateOwner(errs *status.FieldErrors, at string, o Meta) {
	group, version, hasGroup := strings.Cut(o.Text("apiVersion"), "/")
	if !hasGroup {
		group, version = "", group
	}
	switch {
	case o.Text("apiVersion") == "": // it is missing
	case version == "" || strings.Contains(version, "/"):
		errs.Invalid(at+".apiVersion", o.Text("apiVersion"), "must be <group>/<version> or <version>")
	case group == "" && version == "v1" && o.Text("kind") == "Event":
		errs.Invalid(at, o, "/v1, Kind=Event is disallowed from being an owner")
	}
}
