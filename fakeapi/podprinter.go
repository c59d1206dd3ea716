package fakeapi

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// podCells are a pod's cells. Its status is more than its phase: the most
// telling thing that any of its containers reports.
func podCells(t tree) []any {
	ready, restarts, last := 0, int64(0), ""
	containers := objectsAt(t, ".status.containerStatuses")
	for _, c := range containers {
		restarts += intAt(c, ".restartCount")
		last = max(last, textAt(c, ".lastState.terminated.finishedAt"))
		if v, _ := lookup(c, ".ready"); v == true && objectAt(c, ".state.running") != nil {
			ready++
		}
	}
	count := fmt.Sprint(restarts)
	if restarts > 0 && last != "" {
		count += " (" + sinceText(last) + " ago)"
	}
	return cellsOf(t, fmt.Sprintf("%d/%d", ready, len(objectsAt(t, ".spec.containers"))),
		podStatus(t), count, ageOf(t), cmp.Or(podIP(t), none),
		cmp.Or(textAt(t, ".spec.nodeName"), none),
		cmp.Or(textAt(t, ".status.nominatedNodeName"), none), readinessGates(t))
}

// podStatus is the pod's phase, or the reason that says more.
func podStatus(t tree) string {
	status := cmp.Or(textAt(t, ".status.phase"), "Unknown")
	status = cmp.Or(textAt(t, ".status.reason"), status)
	if s, initialising := initStatus(t); initialising {
		status = s
	} else {
		status = containersStatus(t, status)
	}
	if textAt(t, ".metadata.deletionTimestamp") != "" {
		if textAt(t, ".status.reason") == "NodeLost" {
			return "Unknown"
		}
		return "Terminating"
	}
	return status
}

// initStatus tells of the first init container that has not succeeded.
func initStatus(t tree) (status string, initialising bool) {
	statuses := objectsAt(t, ".status.initContainerStatuses")
	for i, c := range statuses {
		ended := objectAt(c, ".state.terminated")
		waiting := textAt(c, ".state.waiting.reason")
		switch {
		case ended != nil && intAt(ended, ".exitCode") == 0:
			continue
		case ended != nil:
			return "Init:" + cmp.Or(textAt(ended, ".reason"), exitText(ended)), true
		case waiting != "" && waiting != "PodInitializing":
			return "Init:" + waiting, true
		}
		return fmt.Sprintf("Init:%d/%d", i, len(objectsAt(t, ".spec.initContainers"))), true
	}
	return "", false
}

// containersStatus tells why a container waits or has ended; the first container
// has the last word.
func containersStatus(t tree, status string) string {
	running := false
	for _, c := range slices.Backward(objectsAt(t, ".status.containerStatuses")) {
		ended := objectAt(c, ".state.terminated")
		if waiting := textAt(c, ".state.waiting.reason"); waiting != "" {
			status = waiting
		} else if ended != nil {
			status = cmp.Or(textAt(ended, ".reason"), exitText(ended))
		} else if v, _ := lookup(c, ".ready"); v == true && objectAt(c, ".state.running") != nil {
			running = true
		}
	}
	if status != "Completed" || !running {
		return status
	}
	if conditionStatus(t, "Ready") == "True" {
		return "Running"
	}
	return "NotReady"
}

// exitText is how a container ended that gave no reason.
func exitText(ended tree) string {
	if signal := intAt(ended, ".signal"); signal != 0 {
		return fmt.Sprint("Signal:", signal)
	}
	return fmt.Sprint("ExitCode:", intAt(ended, ".exitCode"))
}

func podIP(t tree) string {
	for _, ip := range objectsAt(t, ".status.podIPs") {
		return textAt(ip, ".ip")
	}
	return textAt(t, ".status.podIP")
}

// readinessGates are how many of the pod's own conditions for being ready hold.
func readinessGates(t tree) string {
	gates := objectsAt(t, ".spec.readinessGates")
	if len(gates) == 0 {
		return none
	}
	hold := 0
	for _, g := range gates {
		if conditionStatus(t, textAt(g, ".conditionType")) == "True" {
			hold++
		}
	}
	return fmt.Sprintf("%d/%d", hold, len(gates))
}

// The rest of this file looks into objects whose shape nobody has checked: what
// is not there, or not of the type it should be, is empty.

func textAt(t tree, path string) string {
	v, _ := lookup(t, path)
	if v == nil {
		return ""
	}
	return text(v)
}

func intAt(t tree, path string) int64 {
	v, _ := lookup(t, path)
	n, _ := v.(int64)
	return n
}

func objectAt(t tree, path string) tree {
	v, _ := lookup(t, path)
	o, _ := v.(tree)
	return o
}

func listAt(t tree, path string) []any {
	v, _ := lookup(t, path)
	l, _ := v.([]any)
	return l
}

// objectsAt are the objects of a list, as many as there are.
func objectsAt(t tree, path string) []tree {
	var all []tree
	for _, e := range listAt(t, path) {
		if o, ok := e.(tree); ok {
			all = append(all, o)
		}
	}
	return all
}

// ageOf is the time since an object's creation.
func ageOf(t tree) string { return sinceText(textAt(t, ".metadata.creationTimestamp")) }

// pairs are labels as people write them: a=1,b=2.
func pairs(labels tree) string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		all = append(all, key+"="+text(labels[key]))
	}
	return strings.Join(all, ",")
}
