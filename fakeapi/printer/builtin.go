package printer

// This file says what kubectl get shows of pods and deployments: the columns that a real
// server has, and where in an object their cells come from. All other types have columns
// that are paths.

const none = "<none>"

// Builtin returns the layout of pods and deployments, and false for other types. The
// resource is named as in messages: "pods", or "deployments.apps" with its group. The
// caller must not change the layout.
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
	"deployments.apps": {Name, computed("Ready", deploymentReady),
		count("Up-to-date", ".status.updatedReplicas"),
		count("Available", ".status.availableReplicas"), Age,
		wide(containers("Containers", ".name")), wide(containers("Images", ".image")),
		wide(computed("Selector", workloadSelector))},
}

// field returns a column that shows the text at a path, or empty.
func field(name, path string, empty any) Column {
	return Column{Name: name, Type: "string", Description: describe(name), Path: mustPath(path),
		Empty: empty}
}

// count returns a column that shows the whole number at a path, or 0.
func count(name, path string) Column {
	c := field(name, path, int64(0))
	c.Type = "integer"
	return c
}

// computed returns a column whose cells value computes from the object.
func computed(name string, value func(object) any) Column {
	return Column{Name: name, Type: "string", Description: describe(name), Value: value}
}

func describe(name string) string { return "The object's " + name + "." }

// wide returns a column that only -o wide shows.
func wide(c Column) Column {
	c.Priority = 1
	return c
}
