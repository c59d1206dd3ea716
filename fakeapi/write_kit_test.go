package fakeapi

const (
	acceptTable = "application/json;as=Table;v=v1;g=meta.k8s.io"
)

// gadgets are a custom resource in two versions, the first of which is stored.
func gadgets() []Resource {
	one := Resource{Group: "example.dev", Version: "v1beta1", Plural: "gadgets", Kind: "Gadget",
		Status: true, Select: []string{".spec.size", ".spec.color"},
		Scale: &ScalePaths{Spec: ".spec.count", Status: ".status.count",
			Selector: ".status.selector"}}
	two := one
	two.Version, two.Select, two.Scale = "v1", []string{".spec.color"}, nil
	return []Resource{one, two}
}
