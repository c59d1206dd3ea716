package fakeapi

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// This file is what kubectl get shows of the built-in types: the columns of a
// real server, and where in an object their cells come from. Objects are what
// clients wrote, no schema has checked them: everything is looked up with care.

// builtinLayouts are the layouts of the built-in types that have one of their
// own, by qualified name.
var builtinLayouts = map[string]layout{
	"pods": {heads("Name", "Ready", "Status", "Restarts", "Age",
		"+IP", "+Node", "+Nominated Node", "+Readiness Gates"), podCells},
	"configmaps": {heads("Name", "Data", "Age"), func(t tree) []any {
		return cellsOf(t, len(objectAt(t, ".data"))+len(objectAt(t, ".binaryData")), ageOf(t))
	}},
	"secrets": {heads("Name", "Type", "Data", "Age"), func(t tree) []any {
		return cellsOf(t, textAt(t, ".type"), len(objectAt(t, ".data")), ageOf(t))
	}},
	"namespaces": {heads("Name", "Status", "Age"), func(t tree) []any {
		return cellsOf(t, textAt(t, ".status.phase"), ageOf(t))
	}},
	"nodes": {heads("Name", "Status", "Roles", "Age", "Version", "+Internal-IP", "+External-IP",
		"+OS-Image", "+Kernel-Version", "+Container-Runtime"), nodeCells},
	"services": {heads("Name", "Type", "Cluster-IP", "External-IP", "Port(s)", "Age",
		"+Selector"), serviceCells},
	"events": {heads("Last Seen", "Type", "Reason", "Object", "+Subobject", "+Source", "Message",
		"+First Seen", "+Count", "+Name"), eventCells},
	"deployments.apps": {heads("Name", "Ready", "Up-to-date", "Available", "Age",
		"+Containers", "+Images", "+Selector"), deploymentCells},
	"replicasets.apps": {heads("Name", "Desired", "Current", "Ready", "Age",
		"+Containers", "+Images", "+Selector"), replicaSetCells},
	"leases.coordination.k8s.io": {heads("Name", "Holder", "Age"), func(t tree) []any {
		return cellsOf(t, textAt(t, ".spec.holderIdentity"), ageOf(t))
	}},
}

// heads are columns by name. A plus marks one for -o wide.
func heads(names ...string) []columnDefinition {
	var defs []columnDefinition
	for _, name := range names {
		name, wide := strings.CutPrefix(name, "+")
		def := columnDefinition{Name: name, Type: "string", Description: "The object's " + name + "."}
		switch name {
		case "Name":
			def = nameColumn
		case "Age":
			def = ageColumn
		case "Up-to-date", "Available", "Desired", "Current", "Count":
			def.Type = "integer"
		}
		if wide {
			def.Priority = 1
		}
		defs = append(defs, def)
	}
	return defs
}

// cellsOf are the name and other cells.
func cellsOf(t tree, others ...any) []any {
	return append([]any{textAt(t, ".metadata.name")}, others...)
}

const none = "<none>"

func nodeCells(t tree) []any {
	status := "Unknown"
	switch conditionStatus(t, "Ready") {
	case "True":
		status = "Ready"
	case "False", "Unknown":
		status = "NotReady"
	}
	if v, _ := lookup(t, ".spec.unschedulable"); v == true {
		status += ",SchedulingDisabled"
	}
	info := func(field string) string {
		return cmp.Or(textAt(t, ".status.nodeInfo."+field), "<unknown>")
	}
	return cellsOf(t, status, nodeRoles(t), ageOf(t), textAt(t, ".status.nodeInfo.kubeletVersion"),
		nodeAddress(t, "InternalIP"), nodeAddress(t, "ExternalIP"),
		info("osImage"), info("kernelVersion"), info("containerRuntimeVersion"))
}

// conditionStatus is the status of the condition of a type, empty if there is
// none.
func conditionStatus(t tree, kind string) string {
	for _, c := range objectsAt(t, ".status.conditions") {
		if textAt(c, ".type") == kind {
			return textAt(c, ".status")
		}
	}
	return ""
}

// nodeRoles are in the names of labels: node-role.kubernetes.io/control-plane.
func nodeRoles(t tree) string {
	var roles []string
	for label, value := range objectAt(t, ".metadata.labels") {
		if role, ok := strings.CutPrefix(label, "node-role.kubernetes.io/"); ok && role != "" {
			roles = append(roles, role)
		} else if label == "kubernetes.io/role" && value != "" {
			roles = append(roles, text(value))
		}
	}
	slices.Sort(roles)
	return cmp.Or(strings.Join(roles, ","), none)
}

func nodeAddress(t tree, kind string) string {
	for _, a := range objectsAt(t, ".status.addresses") {
		if textAt(a, ".type") == kind {
			return textAt(a, ".address")
		}
	}
	return none
}

func serviceCells(t tree) []any {
	return cellsOf(t, cmp.Or(textAt(t, ".spec.type"), "ClusterIP"),
		cmp.Or(textAt(t, ".spec.clusterIP"), none), externalIP(t), servicePorts(t), ageOf(t),
		cmp.Or(pairs(objectAt(t, ".spec.selector")), none))
}

// externalIP is where a service can be reached from outside, which for a load
// balancer is not known at first.
func externalIP(t tree) string {
	var ips []string
	for _, ip := range listAt(t, ".spec.externalIPs") {
		ips = append(ips, text(ip))
	}
	switch textAt(t, ".spec.type") {
	case "ExternalName":
		return textAt(t, ".spec.externalName")
	case "LoadBalancer":
		for _, in := range objectsAt(t, ".status.loadBalancer.ingress") {
			ips = append(ips, cmp.Or(textAt(in, ".ip"), textAt(in, ".hostname")))
		}
		return cmp.Or(strings.Join(ips, ","), "<pending>")
	}
	return cmp.Or(strings.Join(ips, ","), none)
}

func servicePorts(t tree) string {
	var ports []string
	for _, p := range objectsAt(t, ".spec.ports") {
		s := textAt(p, ".port")
		if node := intAt(p, ".nodePort"); node != 0 {
			s += fmt.Sprint(":", node)
		}
		ports = append(ports, s+"/"+cmp.Or(textAt(p, ".protocol"), "TCP"))
	}
	return cmp.Or(strings.Join(ports, ","), none)
}

func eventCells(t tree) []any {
	first := sinceText(textAt(t, ".firstTimestamp"))
	if textAt(t, ".firstTimestamp") == "" {
		first = sinceText(textAt(t, ".eventTime"))
	}
	last := first
	if s := textAt(t, ".lastTimestamp"); s != "" {
		last = sinceText(s)
	}
	object := strings.ToLower(textAt(t, ".involvedObject.kind"))
	if name := textAt(t, ".involvedObject.name"); name != "" {
		object += "/" + name
	}
	source := cmp.Or(textAt(t, ".source.component"), textAt(t, ".reportingComponent"))
	if host := textAt(t, ".source.host"); host != "" {
		source += ", " + host
	}
	return []any{last, textAt(t, ".type"), textAt(t, ".reason"), object,
		textAt(t, ".involvedObject.fieldPath"), source,
		strings.TrimSpace(textAt(t, ".message")), first, max(1, intAt(t, ".count")),
		textAt(t, ".metadata.name")}
}

func deploymentCells(t tree) []any {
	ready := fmt.Sprintf("%d/%d", intAt(t, ".status.readyReplicas"), replicas(t))
	return append(cellsOf(t, ready, intAt(t, ".status.updatedReplicas"),
		intAt(t, ".status.availableReplicas"), ageOf(t)), templateCells(t)...)
}

func replicaSetCells(t tree) []any {
	return append(cellsOf(t, replicas(t), intAt(t, ".status.replicas"),
		intAt(t, ".status.readyReplicas"), ageOf(t)), templateCells(t)...)
}

// replicas is how many are wanted: one, if nobody said.
func replicas(t tree) int64 {
	if v, ok := lookup(t, ".spec.replicas"); !ok || v == nil {
		return 1
	}
	return intAt(t, ".spec.replicas")
}

// templateCells are the containers, images and selector of a workload.
func templateCells(t tree) []any {
	var names, images []string
	for _, c := range objectsAt(t, ".spec.template.spec.containers") {
		names = append(names, textAt(c, ".name"))
		images = append(images, textAt(c, ".image"))
	}
	return []any{strings.Join(names, ","), strings.Join(images, ","),
		labelSelectorText(objectAt(t, ".spec.selector"))}
}

// labelSelectorText is a label selector as people write it.
func labelSelectorText(selector tree) string {
	terms := []string{}
	if s := pairs(objectAt(selector, ".matchLabels")); s != "" {
		terms = append(terms, s)
	}
	for _, e := range objectsAt(selector, ".matchExpressions") {
		terms = append(terms, expressionText(e))
	}
	return cmp.Or(strings.Join(terms, ","), none)
}

func expressionText(e tree) string {
	key := textAt(e, ".key")
	var values []string
	for _, v := range listAt(e, ".values") {
		values = append(values, text(v))
	}
	slices.Sort(values)
	set := " (" + strings.Join(values, ",") + ")"
	switch textAt(e, ".operator") {
	case "In":
		return key + " in" + set
	case "NotIn":
		return key + " notin" + set
	case "DoesNotExist":
		return "!" + key
	}
	return key
}
