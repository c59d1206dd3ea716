package resource

import "strings"

// Defaults returns the resources of a server whose Options name none: the
// built-in types that controllers use most, CustomResourceDefinitions among them, and
// widgets of workshop.example.dev as the custom resource. The caller owns the slice.
func Defaults() []Resource {
	words := strings.Fields
	replicas := &ScalePaths{".spec.replicas", ".status.replicas", ".spec.selector"}
	return []Resource{
		{Version: "v1", Plural: "pods", Kind: "Pod", Status: true, ShortNames: words("po"),
			Categories: words("all"), Select: words(".spec.nodeName .spec.restartPolicy " +
				".spec.schedulerName .spec.serviceAccountName .spec.hostNetwork .status.phase " +
				".status.podIP .status.nominatedNodeName")},
		{Version: "v1", Plural: "configmaps", Kind: "ConfigMap", ShortNames: words("cm")},
		{Version: "v1", Plural: "nodes", Kind: "Node", Cluster: true, Status: true,
			Select: words(".spec.unschedulable"), ShortNames: words("no")},
		{Version: "v1", Plural: "namespaces", Kind: "Namespace", Cluster: true, Status: true,
			Select: words(".status.phase"), ShortNames: words("ns"),
			Columns: columns("Status", ".status.phase")},
		{Version: "v1", Plural: "services", Kind: "Service", Status: true, ShortNames: words("svc"),
			Select: words(".spec.clusterIP .spec.type"), Categories: words("all")},
		{Version: "v1", Plural: "secrets", Kind: "Secret", Select: words(".type")},
		{Version: "v1", Plural: "events", Kind: "Event", ShortNames: words("ev"),
			Columns: columns("Type", ".type", "Reason", ".reason", "Object", ".involvedObject.name",
				"Message", ".message"), Select: words(".involvedObject.kind .involvedObject.namespace " +
				".involvedObject.name .involvedObject.uid .involvedObject.apiVersion " +
				".involvedObject.resourceVersion .involvedObject.fieldPath .reason " +
				".reportingComponent .source .type")},
		{Version: "v1", Plural: "serviceaccounts", Kind: "ServiceAccount", ShortNames: words("sa")},
		{Group: "apps", Version: "v1", Plural: "deployments", Kind: "Deployment", Status: true,
			ShortNames: words("deploy"), Categories: words("all"), Scale: replicas},
		{Group: "apps", Version: "v1", Plural: "replicasets", Kind: "ReplicaSet", Status: true,
			Select: words(".status.replicas"), ShortNames: words("rs"), Categories: words("all"),
			Scale: replicas},
		{Group: "apiextensions.k8s.io", Version: "v1", Plural: "customresourcedefinitions",
			Kind: "CustomResourceDefinition", Cluster: true, Status: true,
			ShortNames: words("crd crds"), Categories: words("api-extensions"),
			Columns: columns("Created At", ".metadata.creationTimestamp")},
		{Group: "coordination.k8s.io", Version: "v1", Plural: "leases", Kind: "Lease",
			Columns: columns("Holder", ".spec.holderIdentity")},
		{Group: "discovery.k8s.io", Version: "v1", Plural: "endpointslices", Kind: "EndpointSlice",
			Columns: columns("AddressType", ".addressType")},
		{Group: "events.k8s.io", Version: "v1", Plural: "events", Kind: "Event", ShortNames: words("ev")},
		{Group: "workshop.example.dev", Version: "v1", Plural: "widgets", Kind: "Widget", Status: true,
			Select: words(".spec.color"), ShortNames: words("wd"), Columns: columns("Color", ".spec.color")},
	}
}

// columns returns columns of text: the name and the path of each.
func columns(pairs ...string) (all []Column) {
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, Column{Name: pairs[i], Path: pairs[i+1]})
	}
	return all
}
