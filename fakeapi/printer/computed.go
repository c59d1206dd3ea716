package printer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

func nodeStatus(o object) any {
	status := "Unknown"
	switch conditionStatus(o, "Ready") {
	case "True":
		status = "Ready"
	case "False", "Unknown":
		status = "NotReady"
	}
	if lookup(o, ".spec.unschedulable") == true {
		status += ",SchedulingDisabled"
	}
	return status
}

// conditionStatus is the status of the condition of a type, empty if there is
// none.
func conditionStatus(o object, kind string) string {
	for _, c := range objectsAt(o, ".status.conditions") {
		if textAt(c, ".type") == kind {
			return textAt(c, ".status")
		}
	}
	return ""
}

// nodeRoles reads the roles out of the keys of labels, such as
// node-role.kubernetes.io/control-plane.
func nodeRoles(o object) any {
	var roles []string
	for label, value := range objectAt(o, ".metadata.labels") {
		if role, ok := strings.CutPrefix(label, "node-role.kubernetes.io/"); ok && role != "" {
			roles = append(roles, role)
		} else if label == "kubernetes.io/role" && value != "" {
			roles = append(roles, text(value))
		}
	}
	slices.Sort(roles)
	return cmp.Or(strings.Join(roles, ","), none)
}

// externalIP is where a service can be reached from outside. For a load balancer that is
// not known at first.
func externalIP(o object) any {
	var ips []string
	for _, ip := range listAt(o, ".spec.externalIPs") {
		ips = append(ips, text(ip))
	}
	switch textAt(o, ".spec.type") {
	case "ExternalName":
		return textAt(o, ".spec.externalName")
	case "LoadBalancer":
		for _, in := range objectsAt(o, ".status.loadBalancer.ingress") {
			ips = append(ips, cmp.Or(textAt(in, ".ip"), textAt(in, ".hostname")))
		}
		return cmp.Or(strings.Join(ips, ","), "<pending>")
	}
	return cmp.Or(strings.Join(ips, ","), none)
}

func servicePorts(o object) any {
	var ports []string
	for _, p := range objectsAt(o, ".spec.ports") {
		s := textAt(p, ".port")
		if node := intAt(p, ".nodePort"); node != 0 {
			s += fmt.Sprint(":", node)
		}
		ports = append(ports, s+"/"+cmp.Or(textAt(p, ".protocol"), "TCP"))
	}
	return cmp.Or(strings.Join(ports, ","), none)
}

func serviceSelector(o object) any {
	return cmp.Or(pairs(objectAt(o, ".spec.selector")), none)
}

// firstSeen is how long ago an event happened for the first time. Events of the newer
// API have only eventTime.
func firstSeen(o object) any {
	return since(cmp.Or(textAt(o, ".firstTimestamp"), textAt(o, ".eventTime")))
}

func lastSeen(o object) any {
	return since(cmp.Or(textAt(o, ".lastTimestamp"), textAt(o, ".firstTimestamp"),
		textAt(o, ".eventTime")))
}

func involvedObject(o object) any {
	shown := strings.ToLower(textAt(o, ".involvedObject.kind"))
	if name := textAt(o, ".involvedObject.name"); name != "" {
		shown += "/" + name
	}
	return shown
}

func eventSource(o object) any {
	source := cmp.Or(textAt(o, ".source.component"), textAt(o, ".reportingComponent"))
	if host := textAt(o, ".source.host"); host != "" {
		source += ", " + host
	}
	return source
}

func eventMessage(o object) any { return strings.TrimSpace(textAt(o, ".message")) }

// eventCount is how often an event has happened: once, if it does not say.
func eventCount(o object) any { return max(1, intAt(o, ".count")) }
