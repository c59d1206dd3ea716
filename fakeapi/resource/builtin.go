package resource

import "slices"

// Defaults returns the resources of a server whose Options name none: the
// built-in types that controllers use most, CustomResourceDefinitions among them, and
// widgets of workshop.example.dev as the custom resource. The caller owns the slice.
func Defaults() []Resource {
	return slices.Concat(coreResources(), appsResources(), []Resource{
		{Group: "apiextensions.k8s.io", Version: "v1", Plural: "customresourcedefinitions",
			Kind: "CustomResourceDefinition", Cluster: true, Status: true,
			ShortNames: []string{"crd", "crds"}, Categories: []string{"api-extensions"},
			Columns: []Column{{Name: "Created At", Path: ".metadata.creationTimestamp"}}},
		{Group: "coordination.k8s.io", Version: "v1", Plural: "leases", Kind: "Lease",
			Columns: []Column{{Name: "Holder", Path: ".spec.holderIdentity"}}},
		{Group: "discovery.k8s.io", Version: "v1", Plural: "endpointslices", Kind: "EndpointSlice",
			Columns: []Column{{Name: "AddressType", Path: ".addressType"}}},
		{Group: "events.k8s.io", Version: "v1", Plural: "events", Kind: "Event",
			ShortNames: []string{"ev"}},
		{Group: "workshop.example.dev", Version: "v1", Plural: "widgets", Kind: "Widget",
			Status: true, Select: []string{".spec.color"}, ShortNames: []string{"wd"},
			Columns: []Column{{Name: "Color", Path: ".spec.color"}}},
	})
}

func coreResources() []Resource {
	return []Resource{
		{Version: "v1", Plural: "pods", Kind: "Pod", Status: true,
			Select: []string{".spec.nodeName", ".spec.restartPolicy", ".spec.schedulerName",
				".spec.serviceAccountName", ".spec.hostNetwork", ".status.phase",
				".status.podIP", ".status.nominatedNodeName"},
			ShortNames: []string{"po"}, Categories: []string{"all"}},
		{Version: "v1", Plural: "configmaps", Kind: "ConfigMap", ShortNames: []string{"cm"}},
		{Version: "v1", Plural: "nodes", Kind: "Node", Cluster: true, Status: true,
			Select: []string{".spec.unschedulable"}, ShortNames: []string{"no"}},
		{Version: "v1", Plural: "namespaces", Kind: "Namespace", Cluster: true, Status: true,
			Select: []string{".status.phase"}, ShortNames: []string{"ns"},
			Columns: []Column{{Name: "Status", Path: ".status.phase"}}},
		{Version: "v1", Plural: "services", Kind: "Service", Status: true,
			Select: []string{".spec.clusterIP", ".spec.type"}, ShortNames: []string{"svc"},
			Categories: []string{"all"}},
		{Version: "v1", Plural: "secrets", Kind: "Secret", Select: []string{".type"}},
		{Version: "v1", Plural: "events", Kind: "Event", ShortNames: []string{"ev"},
			Columns: []Column{{Name: "Type", Path: ".type"}, {Name: "Reason", Path: ".reason"},
				{Name: "Object", Path: ".involvedObject.name"}, {Name: "Message", Path: ".message"}},
			Select: []string{".involvedObject.kind", ".involvedObject.namespace",
				".involvedObject.name", ".involvedObject.uid", ".involvedObject.apiVersion",
				".involvedObject.resourceVersion", ".involvedObject.fieldPath",
				".reason", ".reportingComponent", ".source", ".type"}},
		{Version: "v1", Plural: "serviceaccounts", Kind: "ServiceAccount",
			ShortNames: []string{"sa"}},
	}
}

func appsResources() []Resource {
	replicas := &ScalePaths{Spec: ".spec.replicas", Status: ".status.replicas",
		Selector: ".spec.selector"}
	return []Resource{
		{Group: "apps", Version: "v1", Plural: "deployments", Kind: "Deployment", Status: true,
			ShortNames: []string{"deploy"}, Categories: []string{"all"}, Scale: replicas},
		{Group: "apps", Version: "v1", Plural: "replicasets", Kind: "ReplicaSet", Status: true,
			Select: []string{".status.replicas"}, ShortNames: []string{"rs"},
			Categories: []string{"all"}, Scale: replicas},
	}
}
