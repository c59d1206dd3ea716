package printer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// deploymentReady returns how many replicas are ready, of how many. A deployment that does
// not say how many it wants has one.
func deploymentReady(o object) any {
	wanted := int64(1)
	if lookup(o, ".spec.replicas") != nil {
		wanted = intAt(o, ".spec.replicas")
	}
	return fmt.Sprintf("%d/%d", intAt(o, ".status.readyReplicas"), wanted)
}

// containers returns a column that shows a field of all containers of a workload's pods.
func containers(name, field string) Column {
	return computed(name, func(o object) any {
		var all []string
		for _, c := range objectsAt(o, ".spec.template.spec.containers") {
			all = append(all, textAt(c, field))
		}
		return strings.Join(all, ",")
	})
}

func workloadSelector(o object) any {
	return cmp.Or(Selector(objectAt(o, ".spec.selector")), none)
}

// Selector returns a label selector, an object with matchLabels and matchExpressions, as
// text: "app=web,tier in (a,b)". The text of an empty selector is "".
func Selector(o map[string]any) string {
	terms := []string{}
	if s := pairs(objectAt(o, ".matchLabels")); s != "" {
		terms = append(terms, s)
	}
	for _, e := range objectsAt(o, ".matchExpressions") {
		terms = append(terms, expressionText(e))
	}
	return strings.Join(terms, ",")
}

func expressionText(e object) string {
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
