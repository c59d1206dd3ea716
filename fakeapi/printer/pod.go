package printer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// podReady returns how many containers are ready, of how many.
func podReady(o object) any {
	ready := 0
	for _, c := range objectsAt(o, ".status.containerStatuses") {
		if isReady(c) {
			ready++
		}
	}
	return fmt.Sprintf("%d/%d", ready, len(objectsAt(o, ".spec.containers")))
}

func isReady(container object) bool {
	return lookup(container, ".ready") == true && at[object](container, ".state.running") != nil
}

// podRestarts returns how often containers were restarted, and how long ago the last time.
func podRestarts(o object) any {
	restarts, last := int64(0), ""
	for _, c := range objectsAt(o, ".status.containerStatuses") {
		restarts += at[int64](c, ".restartCount")
		last = max(last, at[string](c, ".lastState.terminated.finishedAt"))
	}
	count := fmt.Sprint(restarts)
	if restarts > 0 && last != "" {
		count += " (" + since(last) + " ago)"
	}
	return count
}

// podStatus returns the first of these that the object has: that it is being deleted, what a
// container reports, a reason of the pod's own, its phase.
func podStatus(o object) any {
	reason := at[string](o, ".status.reason")
	if at[string](o, ".metadata.deletionTimestamp") != "" {
		if reason == "NodeLost" {
			return "Unknown"
		}
		return "Terminating"
	}
	if s := initStatus(o); s != "" {
		return s
	}
	return containersStatus(o, cmp.Or(reason, at[string](o, ".status.phase"), "Unknown"))
}

// initStatus returns the status of the first init container that has not succeeded, "" if all have.
func initStatus(o object) string {
	for i, c := range objectsAt(o, ".status.initContainerStatuses") {
		ended := at[object](c, ".state.terminated")
		waiting := at[string](c, ".state.waiting.reason")
		switch {
		case ended != nil && at[int64](ended, ".exitCode") == 0:
			continue
		case ended != nil:
			return "Init:" + endText(ended)
		case waiting != "" && waiting != "PodInitializing":
			return "Init:" + waiting
		}
		return fmt.Sprintf("Init:%d/%d", i, len(objectsAt(o, ".spec.initContainers")))
	}
	return ""
}

// containersStatus returns why a container waits or has ended, or status if none does. If
// several do, the first of them counts.
func containersStatus(o object, status string) string {
	running := false
	for _, c := range slices.Backward(objectsAt(o, ".status.containerStatuses")) {
		ended := at[object](c, ".state.terminated")
		if waiting := at[string](c, ".state.waiting.reason"); waiting != "" {
			status = waiting
		} else if ended != nil {
			status = endText(ended)
		} else if isReady(c) {
			running = true
		}
	}
	if status != "Completed" || !running {
		return status
	}
	if slices.ContainsFunc(objectsAt(o, ".status.conditions"), func(c object) bool {
		return at[string](c, ".type") == "Ready" && at[string](c, ".status") == "True"
	}) {
		return "Running"
	}
	return "NotReady"
}

// endText returns how a container has ended: why, or by which signal or exit code.
func endText(ended object) string {
	if reason := at[string](ended, ".reason"); reason != "" {
		return reason
	}
	if signal := at[int64](ended, ".signal"); signal != 0 {
		return fmt.Sprint("Signal:", signal)
	}
	return fmt.Sprint("ExitCode:", at[int64](ended, ".exitCode"))
}

func podIP(o object) any {
	for _, ip := range objectsAt(o, ".status.podIPs") {
		return cmp.Or(at[string](ip, ".ip"), none)
	}
	return cmp.Or(at[string](o, ".status.podIP"), none)
}

// readinessGates returns how many of the pod's own conditions for readiness hold, of how many.
func readinessGates(o object) any {
	gates := objectsAt(o, ".spec.readinessGates")
	if len(gates) == 0 {
		return none
	}
	holds := map[string]bool{}
	for _, c := range slices.Backward(objectsAt(o, ".status.conditions")) {
		holds[at[string](c, ".type")] = at[string](c, ".status") == "True"
	}
	n := 0
	for _, g := range gates {
		if holds[at[string](g, ".conditionType")] {
			n++
		}
	}
	return fmt.Sprintf("%d/%d", n, len(gates))
}

// deploymentReady returns how many replicas are ready, of how many. A deployment that does
// not say how many it wants has one.
func deploymentReady(o object) any {
	wanted := int64(1)
	if lookup(o, ".spec.replicas") != nil {
		wanted = at[int64](o, ".spec.replicas")
	}
	return fmt.Sprintf("%d/%d", at[int64](o, ".status.readyReplicas"), wanted)
}

// containers returns a column that shows a field of all containers of a workload's pods.
func containers(name, field string) Column {
	return computed(name, func(o object) any {
		var all []string
		for _, c := range objectsAt(o, ".spec.template.spec.containers") {
			all = append(all, at[string](c, field))
		}
		return strings.Join(all, ",")
	})
}

func workloadSelector(o object) any {
	return cmp.Or(Selector(at[object](o, ".spec.selector")), none)
}

// Selector returns a label selector, an object with matchLabels and matchExpressions, as
// text: "app=web,tier in (a,b)". The text of an empty selector is "".
func Selector(o map[string]any) string {
	var terms []string
	labels := at[object](o, ".matchLabels")
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		terms = append(terms, key+"="+text(labels[key]))
	}
	for _, e := range objectsAt(o, ".matchExpressions") {
		terms = append(terms, expressionText(e))
	}
	return strings.Join(terms, ",")
}

func expressionText(e object) string {
	key := at[string](e, ".key")
	var values []string
	for _, v := range at[[]any](e, ".values") {
		values = append(values, text(v))
	}
	slices.Sort(values)
	set := " (" + strings.Join(values, ",") + ")"
	switch at[string](e, ".operator") {
	case "In":
		return key + " in" + set
	case "NotIn":
		return key + " notin" + set
	case "DoesNotExist":
		return "!" + key
	}
	return key
}

// This file says what kubectl get shows of pods and deployments: the columns that a real server
// has, and where in an object their cells come from. All other types have columns that are paths.

const none = "<none>"

// Builtin returns the layout of pods and deployments, and false for other types. The
// resource is named as in messages: "pods", or "deployments.apps" with its group. The
// caller must not change the layout.
func Builtin(resource string) (Layout, bool) {
	l, ok := builtin[resource]
	return l, ok
}

var builtin = map[string]Layout{
	"pods": append(Layout{Name, computed("Ready", podReady), computed("Status", podStatus),
		computed("Restarts", podRestarts), Age}, wide(computed("IP", podIP),
		field("Node", ".spec.nodeName"), field("Nominated Node", ".status.nominatedNodeName"),
		computed("Readiness Gates", readinessGates))...),
	"deployments.apps": append(Layout{Name, computed("Ready", deploymentReady),
		count("Up-to-date", ".status.updatedReplicas"),
		count("Available", ".status.availableReplicas"), Age}, wide(containers("Containers", ".name"),
		containers("Images", ".image"), computed("Selector", workloadSelector))...),
}

// computed returns a column whose cells value computes from the object.
func computed(name string, value func(object) any) Column {
	return Column{Name: name, Type: "string", Description: "The object's " + name + ".", Value: value}
}

// field returns a column that shows the text at a path.
func field(name, path string) Column {
	c := computed(name, nil)
	c.Path, c.Empty = mustPath(path), none
	return c
}

// count returns a column that shows the whole number at a path, or 0.
func count(name, path string) Column {
	c := field(name, path)
	c.Type, c.Empty = "integer", int64(0)
	return c
}

// wide returns columns that only -o wide shows.
func wide(columns ...Column) []Column {
	for i := range columns {
		columns[i].Priority = 1
	}
	return columns
}
