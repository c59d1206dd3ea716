package object

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/fakeapi/selector"
	"example.com/watchglass/fakeapi/status"
)

// The wording of the naming rules in package selector.
var (
	mustBeSubdomain     = selector.BadSubdomain("-")
	mustBeLabel         = selector.BadLabel("-")
	mustBeLabelValue    = selector.BadValue("-")
	mustBeQualifiedName = selector.BadKey("-")[0]
)

func TestMetadataThatIsInvalid(t *testing.T) {
	const owner = `{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u"}`
	controls := strings.Replace(owner, `"kind"`, `"controller":true,"kind"`, 1)
	for _, c := range []struct {
		law, metadata string
		want          []string
	}{
		{"nothing is wrong", `{"name":"a","finalizers":["a/b"],"ownerReferences":[` + owner + `]}`,
			nil},
		{"a name is required", `{}`, []string{"metadata.name: Required value: " + mustHaveName}},
		{"a namespace is a DNS label", `{"name":"a","namespace":"A"}`,
			[]string{`metadata.namespace: Invalid value: "A": ` + mustBeLabel}},
		{"a prefix may end in a dash", `{"name":"a","generateName":"web-"}`, nil},
		{"a prefix is a name otherwise", `{"name":"a","generateName":"Web-"}`,
			[]string{`metadata.generateName: Invalid value: "Web-": ` + mustBeSubdomain}},
		{"a prefix may end in two dashes", `{"name":"a","generateName":"web--"}`, nil},
		{"a dash alone is not a prefix", `{"name":"a","generateName":"-"}`,
			[]string{`metadata.generateName: Invalid value: "-": ` + mustBeSubdomain}},
		{"a prefix may be as long as a name", `{"name":"a","generateName":"` +
			strings.Repeat("x", 253) + `"}`, nil},
		{"all labels are checked, in the order of their keys",
			`{"name":"a","labels":{"b":"-","a b":"x"}}`, []string{
				`metadata.labels: Invalid value: "a b": ` + mustBeQualifiedName,
				`metadata.labels: Invalid value: "-": ` + mustBeLabelValue}},
		{"annotation keys may have capital letters",
			`{"name":"a","annotations":{"Example.COM/A":"anything, ä"}}`, nil},
		{"annotation keys have no blanks", `{"name":"a","annotations":{"A b":"x"}}`,
			[]string{`metadata.annotations: Invalid value: "A b": ` + mustBeQualifiedName}},
		{"annotations may not exceed 256 KiB", `{"name":"a","annotations":{"b":"` + strings.Repeat(
			"x", maxAnnotations) + `"}}`, []string{"metadata.annotations: Too long: may not be " +
			"more than 262144 bytes"}},
		{"annotations may have exactly 256 KiB", `{"name":"a","annotations":{"b":"` + strings.Repeat("x",
			maxAnnotations-1) + `"}}`, nil},
		{"finalizers are qualified names", `{"name":"a","finalizers":["a b"]}`,
			[]string{`metadata.finalizers: Invalid value: "a b": ` + mustBeQualifiedName}},
		{"dependents are orphaned or deleted, not both", `{"name":"a","finalizers":["orphan",` +
			`"foregroundDeletion"]}`, []string{`metadata.finalizers: Invalid value: ["orphan",` +
			`"foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set`}},
		{"an owner has an apiVersion, a kind, a name and a uid",
			`{"name":"a","ownerReferences":[{}]}`, []string{"metadata.ownerReferences[0].apiVersi" +
				"on: Required value: must not be empty", "metadata.ownerReferences[0].kind: Required " +
				"value: must not be empty", "metadata.ownerReferences[0].name: Required value: must " +
				"not be empty", "metadata.ownerReferences[0].uid: Required value: must not be empty"}},
		{"an owner's apiVersion has one slash at most", `{"name":"a","ownerReferences":[` +
			strings.Replace(owner, `"v1"`, `"a/b/c"`, 1) + `]}`, []string{
			`metadata.ownerReferences[0].apiVersion: Invalid value: "a/b/c": must be ` +
				`<group>/<version> or <version>`}},
		{"an event cannot be an owner", `{"name":"a","ownerReferences":[` + strings.Replace(owner,
			"Pod", "Event", 1) + `]}`, []string{`metadata.ownerReferences[0]: Invalid value: ` +
			`{"apiVersion":"v1","kind":"Event","name":"p","uid":"u"}: /v1, Kind=Event is ` +
			`disallowed from being an owner`}},
		{"one owner may be the controller", `{"name":"a","ownerReferences":[` + owner + `,` +
			controls + `]}`, nil},
		{"two owners may not be controllers", `{"name":"a","ownerReferences":[` + controls + `,` +
			controls + `]}`, []string{`metadata.ownerReferences: Invalid value: [` + controls +
			`,` + controls + `]: Only one reference can have Controller set to true. Found ` +
			`"true" in references for Pod/p and Pod/p`}},
	} {
		m := Meta(valueOf(t, c.metadata).(Tree))
		if m.Text("namespace") == "" {
			m["namespace"] = "default"
		}
		var errs status.FieldErrors
		ValidateMeta(&errs, custom, m)
		assert.Equal(t, c.want, textsOf(errs), c.law)
	}
}

func TestFinalizersWithoutADomain(t *testing.T) {
	list := []string{"x", "a/b", "kubernetes", "orphan"}
	var errs, none status.FieldErrors
	validateFinalizers(&errs, builtin, list)
	if assert.Len(t, errs, 1, "a built-in type refuses them") {
		assert.Equal(t, `metadata.finalizers[0]: Invalid value: "x": `+mustHaveDomain,
			errs[0].String())
	}
	validateFinalizers(&none, custom, list)
	assert.Empty(t, none, "a custom resource accepts them")
}

func TestAnAnswerHasALimitedNumberOfErrors(t *testing.T) {
	bad := map[string]string{}
	for i := range 10 * status.MaxErrors {
		bad[fmt.Sprint("-", i)] = "v"
	}
	var errs status.FieldErrors
	validateLabels(&errs, bad)
	assert.Len(t, errs, status.MaxErrors)
	bad["long"] = strings.Repeat("x", maxAnnotations)
	errs = nil
	validateAnnotations(&errs, bad)
	assert.Contains(t, textsOf(errs), "metadata.annotations: Too long: "+
		"may not be more than 262144 bytes", "the size counts all annotations")
}
