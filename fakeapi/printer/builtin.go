package printer

// This file says what kubectl get shows of the built-in types: the columns that a real
// server has, and where in an object their cells come from.

const (
	none    = "<none>"
	unknown = "<unknown>"
)

// Builtin returns the layout of a built-in type, and false if the type has none of its
// own. The resource is named as in messages: "pods", or "deployments.apps" with its
// group. The caller must not change the layout.
func Builtin(resource string) (Layout, bool) {
	l, ok := builtin[resource]
	return l, ok
}

var builtin = map[string]Layout{
	"pods": {Name, computed("Ready", podReady), computed("Status", podStatus),
		computed("Restarts", podRestarts), Age, wide(computed("IP", podIP)),
		wide(field("Node", ".spec.nodeName", none)),
		wide(field("Nominated Node", ".status.nominatedNodeName", none)),
		wide(computed("Readiness Gates", readinessGates))},
	"configmaps": {Name, computed("Data", size(".data", ".binaryData")), Age},
	"secrets":    {Name, field("Type", ".type", ""), computed("Data", size(".data")), Age},
	"namespaces": {Name, field("Status", ".status.phase", ""), Age},
	"nodes": {Name, computed("Status", nodeStatus), computed("Roles", nodeRoles), Age,
		field("Version", ".status.nodeInfo.kubeletVersion", ""),
		wide(field("Internal-IP", `.status.addresses[?(@.type=="InternalIP")].address`, none)),
		wide(field("External-IP", `.status.addresses[?(@.type=="ExternalIP")].address`, none)),
		wide(field("OS-Image", ".status.nodeInfo.osImage", unknown)),
		wide(field("Kernel-Version", ".status.nodeInfo.kernelVersion", unknown)),
		wide(field("Container-Runtime", ".status.nodeInfo.containerRuntimeVersion", unknown))},
	"services": {Name, field("Type", ".spec.type", "ClusterIP"),
		field("Cluster-IP", ".spec.clusterIP", none), computed("External-IP", externalIP),
		computed("Port(s)", servicePorts), Age, wide(computed("Selector", serviceSelector))},
	"events": {computed("Last Seen", lastSeen), field("Type", ".type", ""),
		field("Reason", ".reason", ""), computed("Object", involvedObject),
		wide(field("Subobject", ".involvedObject.fieldPath", "")),
		wide(computed("Source", eventSource)), computed("Message", eventMessage),
		wide(computed("First Seen", firstSeen)), wide(integer(computed("Count", eventCount))),
		wide(Name)},
	"deployments.apps": {Name, computed("Ready", deploymentReady),
		count("Up-to-date", ".status.updatedReplicas"),
		count("Available", ".status.availableReplicas"), Age,
		wide(containers("Containers", ".name")), wide(containers("Images", ".image")),
		wide(computed("Selector", workloadSelector))},
	"replicasets.apps": {Name, integer(computed("Desired", desired)),
		count("Current", ".status.replicas"), count("Ready", ".status.readyReplicas"), Age,
		wide(containers("Containers", ".name")), wide(containers("Images", ".image")),
		wide(computed("Selector", workloadSelector))},
	"leases.coordination.k8s.io": {Name, field("Holder", ".spec.holderIdentity", ""), Age},
}

// field is a column that shows the text at a path, or empty.
func field(name, path string, empty any) Column {
	return Column{Name: name, Type: "string", Description: describe(name), Path: mustPath(path),
		Empty: empty}
}

// count is a column that shows the whole number at a path, or 0.
func count(name, path string) Column { return integer(field(name, path, int64(0))) }

// computed is a column whose cells value computes from the object.
func computed(name string, value func(object) any) Column {
	return Column{Name: name, Type: "string", Description: describe(name), Value: value}
}

func describe(name string) string { return "The object's " + name + "." }

func integer(c Column) Column {
	c.Type = "integer"
	return c
}

// wide is a column that only -o wide shows.
func wide(c Column) Column {
	c.Priority = 1
	return c
}

// size counts the fields of the objects at paths, all together.
func size(paths ...string) func(object) any {
	return func(o object) any {
		n := 0
		for _, path := range paths {
			n += len(objectAt(o, path))
		}
		return n
	}
}
