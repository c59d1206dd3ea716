package object

import (
	"fmt"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
)

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
