package encode

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/object"
)

// This file says what kubectl get shows of the built-in types: for each column its name, how a cell
// is written, and the paths of the values that it is made from.

// builtin has the layout of each built-in type that has one, by its name as in messages: "pods", or
// "deployments.apps" with its group.
var builtin = map[string]layout{
	"pods": {Name,
		column("Ready", ratio, `.status.containerStatuses[?(@.ready==true)]`, ".spec.containers[*]"),
		column("Status", podStatus, ".metadata.deletionTimestamp",
			".status.initContainerStatuses[*].state.*.reason",
			".status.containerStatuses[*].state.*.reason", ".status.reason", ".status.phase"),
		column("Restarts", amount, ".status.containerStatuses[*].restartCount"),
		Age, wide("IP", join, ".status.podIP"), wide("Node", join, ".spec.nodeName")},
	"services": {Name,
		column("Type", join, ".spec.type"), column("Cluster-IP", join, ".spec.clusterIP"),
		column("External-IP", join, ".status.loadBalancer.ingress[*].ip",
			".status.loadBalancer.ingress[*].hostname", ".spec.externalIPs[*]", ".spec.externalName"),
		column("Port(s)", ports, ".spec.ports[*]"), Age, wide("Selector", labels, ".spec.selector")},
	"nodes": {Name,
		column("Status", nodeStatus, `.status.conditions[?(@.type=="Ready")].status`,
			".spec.unschedulable"),
		column("Roles", roles, ".metadata.labels"), Age,
		column("Version", join, ".status.nodeInfo.kubeletVersion"),
		wide("Internal-IP", join, `.status.addresses[?(@.type=="InternalIP")].address`)},
	"secrets":    {Name, column("Type", join, ".type"), column("Data", amount, ".data.*"), Age},
	"configmaps": {Name, column("Data", amount, ".data.*", ".binaryData.*"), Age},
	"events": {column("Last Seen", age, ".series.lastObservedTime", ".lastTimestamp", ".eventTime",
		".metadata.creationTimestamp"),
		column("Type", join, ".type"), column("Reason", join, ".reason"),
		column("Object", reference, ".involvedObject.kind", ".involvedObject.name"),
		column("Message", join, ".message"), wide("Name", join, ".metadata.name")},
	"events.events.k8s.io": {column("Last Seen", age, ".series.lastObservedTime",
		".deprecatedLastTimestamp", ".eventTime", ".metadata.creationTimestamp"),
		column("Type", join, ".type"), column("Reason", join, ".reason"),
		column("Object", reference, ".regarding.kind", ".regarding.name"),
		column("Note", join, ".note"), wide("Name", join, ".metadata.name")},
	"deployments.apps": {Name, column("Ready", ratio, ".status.readyReplicas", ".spec.replicas"),
		column("Up-to-date", amount, ".status.updatedReplicas"),
		column("Available", amount, ".status.availableReplicas"), Age, containers, images, selector},
	"replicasets.apps": {Name, column("Desired", amount, ".spec.replicas"),
		column("Current", amount, ".status.replicas"),
		column("Ready", amount, ".status.readyReplicas"), Age, containers, images, selector},
}

// The columns that all workloads have.
var (
	containers = wide("Containers", join, ".spec.template.spec.containers[*].name")
	images     = wide("Images", join, ".spec.template.spec.containers[*].image")
	selector   = wide("Selector", func(values [][]any) any {
		return orNone(SelectorText(one[object.Tree](values[0])))
	}, ".spec.selector")
)

func column(name string, cell func(values [][]any) any, paths ...string) Column {
	c := Column{Name: name, Type: "string", Description: "The object's " + name + ".", Cell: cell}
	for _, p := range paths {
		c.Paths = append(c.Paths, object.MustPath(p))
	}
	return c
}

// wide returns a column that only -o wide shows.
func wide(name string, cell func(values [][]any) any, paths ...string) Column {
	c := column(name, cell, paths...)
	c.Priority = 1
	return c
}

// The functions below make a cell from the values at each of a column's paths.

// join returns all values, with commas between them.
func join(values [][]any) any {
	var texts []string
	for _, v := range slices.Concat(values...) {
		if t := text(v); t != "" {
			texts = append(texts, t)
		}
	}
	return orNone(strings.Join(texts, ","))
}

func orNone(text string) string { return cmp.Or(text, "<none>") }

// amount counts the values; one that is a number counts as much as it says.
func amount(values [][]any) any {
	sum := int64(0)
	for _, v := range slices.Concat(values...) {
		if n, ok := v.(int64); ok {
			sum += n
		} else {
			sum++
		}
	}
	return fmt.Sprint(sum)
}

func ratio(values [][]any) any {
	return fmt.Sprint(amount(values[:1]), "/", amount(values[1:]))
}

// age returns how long ago the first of several times was that is there.
func age(values [][]any) any { return since(one[string](slices.Concat(values...))) }

// one returns the first of the values that is a T and not null, the zero value if there is none.
func one[T any](values []any) (first T) {
	for _, v := range values {
		if t, ok := v.(T); ok {
			return t
		}
	}
	return first
}

// podStatus returns the first of these that there is: that the pod is being deleted, why one of its
// containers waits or has failed, the pod's own reason, its phase.
func podStatus(values [][]any) any {
	deleted, inits, containers := values[0], values[1], values[2]
	reason, phase := one[string](values[3]), one[string](values[4])
	failed := func(reason any) bool { return reason != "Completed" }
	if len(deleted) > 0 {
		return "Terminating"
	} else if i := slices.IndexFunc(inits, failed); i >= 0 {
		return "Init:" + text(inits[i])
	} else if i := slices.IndexFunc(containers, failed); i >= 0 {
		return text(containers[i])
	} else if phase == "Succeeded" && len(containers) > 0 {
		return "Completed"
	}
	return cmp.Or(reason, phase, "Unknown")
}

// ports writes a service's ports: 80/TCP, or 80:30080/TCP with the port on nodes.
func ports(values [][]any) any {
	var all []string
	for _, v := range values[0] {
		p, _ := v.(object.Tree)
		port := text(p["port"])
		if p["nodePort"] != nil {
			port += ":" + text(p["nodePort"])
		}
		all = append(all, port+"/"+text(p["protocol"]))
	}
	return orNone(strings.Join(all, ","))
}

func nodeStatus(values [][]any) any {
	status := "NotReady"
	switch one[string](values[0]) {
	case "True":
		status = "Ready"
	case "":
		status = "Unknown"
	}
	if one[bool](values[1]) {
		status += ",SchedulingDisabled"
	}
	return status
}

// roles returns what the keys of a node's labels name as its roles.
func roles(values [][]any) any {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(one[object.Tree](values[0]))) {
		if role, ok := strings.CutPrefix(key, "node-role.kubernetes.io/"); ok {
			all = append(all, role)
		}
	}
	return orNone(strings.Join(all, ","))
}

// reference returns an object as people write it in commands: pod/web-1.
func reference(values [][]any) any {
	return strings.ToLower(one[string](values[0])) + "/" + one[string](values[1])
}

func labels(values [][]any) any { return orNone(labelText(one[object.Tree](values[0]))) }

func labelText(labels object.Tree) string {
	var terms []string
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		terms = append(terms, key+"="+text(labels[key]))
	}
	return strings.Join(terms, ",")
}

// SelectorText returns a label selector, an object with matchLabels and matchExpressions, as text:
// "app=web,tier in (a,b)". The text of an empty selector is "".
func SelectorText(o map[string]any) string {
	var terms []string
	if matched, _ := o["matchLabels"].(object.Tree); len(matched) > 0 {
		terms = append(terms, labelText(matched))
	}
	expressions, _ := o["matchExpressions"].([]any)
	for _, e := range expressions {
		e, _ := e.(object.Tree)
		key, values := text(e["key"]), object.MustPath(".values[*]").All(e)
		set := fmt.Sprint(" (", join([][]any{values}), ")")
		switch e["operator"] {
		case "In":
			key += " in" + set
		case "NotIn":
			key += " notin" + set
		case "DoesNotExist":
			key = "!" + key
		}
		terms = append(terms, key)
	}
	return strings.Join(terms, ",")
}
