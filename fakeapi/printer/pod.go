package printer

import (
	"cmp"
	"fmt"
	"slices"
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
	return lookup(container, ".ready") == true && objectAt(container, ".state.running") != nil
}

// podRestarts returns how often containers were restarted, and how long ago the last time.
func podRestarts(o object) any {
	restarts, last := int64(0), ""
	for _, c := range objectsAt(o, ".status.containerStatuses") {
		restarts += intAt(c, ".restartCount")
		last = max(last, textAt(c, ".lastState.terminated.finishedAt"))
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
	status := cmp.Or(textAt(o, ".status.phase"), "Unknown")
	status = cmp.Or(textAt(o, ".status.reason"), status)
	if s, initialising := initStatus(o); initialising {
		status = s
	} else {
		status = containersStatus(o, status)
	}
	if textAt(o, ".metadata.deletionTimestamp") != "" {
		if textAt(o, ".status.reason") == "NodeLost" {
			return "Unknown"
		}
		return "Terminating"
	}
	return status
}

// initStatus returns the status of the first init container that has not succeeded.
// initialising is false if all have.
func initStatus(o object) (status string, initialising bool) {
	statuses := objectsAt(o, ".status.initContainerStatuses")
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
		return fmt.Sprintf("Init:%d/%d", i, len(objectsAt(o, ".spec.initContainers"))), true
	}
	return "", false
}

// containersStatus returns why a container waits or has ended, or status if none does. If
// several do, the first of them counts.
func containersStatus(o object, status string) string {
	running := false
	for _, c := range slices.Backward(objectsAt(o, ".status.containerStatuses")) {
		ended := objectAt(c, ".state.terminated")
		if waiting := textAt(c, ".state.waiting.reason"); waiting != "" {
			status = waiting
		} else if ended != nil {
			status = cmp.Or(textAt(ended, ".reason"), exitText(ended))
		} else if isReady(c) {
			running = true
		}
	}
	if status != "Completed" || !running {
		return status
	}
	for _, c := range objectsAt(o, ".status.conditions") {
		if textAt(c, ".type") == "Ready" && textAt(c, ".status") == "True" {
			return "Running"
		}
	}
	return "NotReady"
}

// exitText returns how a container has ended, if there is no reason: its signal or exit code.
func exitText(ended object) string {
	if signal := intAt(ended, ".signal"); signal != 0 {
		return fmt.Sprint("Signal:", signal)
	}
	return fmt.Sprint("ExitCode:", intAt(ended, ".exitCode"))
}

func podIP(o object) any {
	for _, ip := range objectsAt(o, ".status.podIPs") {
		return cmp.Or(textAt(ip, ".ip"), none)
	}
	return cmp.Or(textAt(o, ".status.podIP"), none)
}

// readinessGates returns how many of the pod's own conditions for readiness hold, of how many.
func readinessGates(o object) any {
	gates := objectsAt(o, ".spec.readinessGates")
	if len(gates) == 0 {
		return none
	}
	holds := map[string]bool{}
	for _, c := range slices.Backward(objectsAt(o, ".status.conditions")) {
		holds[textAt(c, ".type")] = textAt(c, ".status") == "True"
	}
	n := 0
	for _, g := range gates {
		if holds[textAt(g, ".conditionType")] {
			n++
		}
	}
	return fmt.Sprintf("%d/%d", n, len(gates))
}
