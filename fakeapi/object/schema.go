package object

import (
	"strings"

	"example.com/watchglass/fakeapi/resource"
)

// The built-in types have schemas, too, of their well-known fields. One object with a text in
// place of its spec would stop every typed client: it could not decode a list any more. So
// such an object is refused. Fields that are not named here may be anything.

// Fields returns the shape of an object with these fields: names, and the shape of the fields that
// have them, which may be nil.
func Fields(pairs ...any) Record {
	fields := Record{}
	for i := 0; i < len(pairs); i += 2 {
		shape, _ := pairs[i+1].(Shape)
		for name := range strings.FieldsSeq(pairs[i].(string)) {
			fields[name] = shape
		}
	}
	return fields
}

// open returns the shape of an object that may also have fields that are not known.
func open(pairs ...any) Record { return Fields(append(pairs, Others, nil)...) }

// bodies are the schemas of the built-in types without metadata, by qualified name.
var bodies = map[string]Record{
	"pods":       open("spec", podSpec, "status", podStatus),
	"configmaps": open("data", textMap, "binaryData", Record{Others: Base64}, "immutable", Bool),
	"secrets": open("type", String, "data", Record{Others: Base64}, "stringData", textMap,
		"immutable", Bool),
	"deployments.apps": open("spec", open("replicas minReadySeconds revisionHistoryLimit "+
		"progressDeadlineSeconds", Int32, "paused", Bool, "selector", labelSelector, "template", template,
		"strategy", open("type", String, "rollingUpdate", open("maxSurge maxUnavailable", IntOrString))),
		"status", replicas),
	"replicasets.apps": open("spec", open("replicas minReadySeconds", Int32, "selector", labelSelector,
		"template", template), "status", replicas),
	"services": open("spec", open("type clusterIP sessionAffinity externalName loadBalancerIP "+
		"loadBalancerClass externalTrafficPolicy internalTrafficPolicy ipFamilyPolicy", String,
		"clusterIPs externalIPs ipFamilies loadBalancerSourceRanges", texts, "selector", textMap,
		"publishNotReadyAddresses allocateLoadBalancerNodePorts", Bool, "sessionAffinityConfig", tree,
		"ports", ListOf{open("name protocol appProtocol", String, "port nodePort", Int32,
			"targetPort", IntOrString)}),
		"status", open("conditions", conditions,
			"loadBalancer", open("ingress", ListOf{open("ip hostname", String)}))),
	"namespaces": open("spec", open("finalizers", texts),
		"status", open("phase", String, "conditions", conditions)),
	"nodes": open("spec", open("podCIDR providerID", String, "podCIDRs", texts, "unschedulable", Bool,
		"taints", ListOf{open("key value effect", String, "timeAdded", Time)}),
		"status", open("phase", String, "capacity allocatable", amounts, "conditions", conditions,
			"addresses", ListOf{open("type address", String)}, "nodeInfo", tree,
			"images", ListOf{open("names", texts, "sizeBytes", Int64)})),
	"serviceaccounts": open("secrets", ListOf{reference}, "imagePullSecrets", ListOf{reference},
		"automountServiceAccountToken", Bool),
	"leases.coordination.k8s.io": open("spec", open("holderIdentity", String,
		"leaseDurationSeconds leaseTransitions", Int32, "acquireTime renewTime", MicroTime)),
	"endpointslices.discovery.k8s.io": open("addressType", String,
		"ports", ListOf{open("name protocol appProtocol", String, "port", Int32)},
		"endpoints", ListOf{open("addresses", texts, "hostname nodeName zone", String,
			"conditions", open("ready serving terminating", Bool), "targetRef", reference)}),
	"events": open("reason message type action reportingComponent reportingInstance", String,
		"involvedObject related", reference, "source", eventSource,
		"firstTimestamp lastTimestamp", Time, "eventTime", MicroTime, "count", Int32, "series", series),
	resource.Events: open("reason note type action reportingController reportingInstance", String,
		"regarding related", reference, "deprecatedSource", eventSource,
		"deprecatedFirstTimestamp deprecatedLastTimestamp", Time, "eventTime", MicroTime,
		"deprecatedCount", Int32, "series", series),
}

// What several types have in common.
var (
	tree          = open() // any object
	texts         = ListOf{String}
	textMap       = Record{Others: String}
	amounts       = Record{Others: Quantity}
	reference     = open("apiVersion kind namespace name uid resourceVersion fieldPath", String)
	labelSelector = open("matchLabels", textMap,
		"matchExpressions", ListOf{open("key operator", String, "values", texts)})
	conditions = ListOf{open("type status reason message", String, "observedGeneration", Int64,
		"lastTransitionTime lastUpdateTime lastProbeTime lastHeartbeatTime", Time)}
	template = open("metadata", Metadata, "spec", podSpec)
	replicas = open("replicas updatedReplicas readyReplicas availableReplicas unavailableReplicas "+
		"fullyLabeledReplicas terminatingReplicas collisionCount", Int32,
		"observedGeneration", Int64, "conditions", conditions)
	eventSource = open("component host", String)
	series      = open("count", Int32, "lastObservedTime", MicroTime)
)

// Pods and their templates.
var (
	podSpec = open("nodeName restartPolicy schedulerName serviceAccountName serviceAccount dnsPolicy "+
		"hostname subdomain priorityClassName preemptionPolicy runtimeClassName", String,
		"hostNetwork hostPID hostIPC hostUsers automountServiceAccountToken enableServiceLinks "+
			"shareProcessNamespace", Bool, "priority", Int32,
		"terminationGracePeriodSeconds activeDeadlineSeconds", Int64, "nodeSelector", textMap,
		"affinity securityContext dnsConfig", tree, "overhead", amounts,
		"containers initContainers ephemeralContainers", ListOf{container},
		"volumes imagePullSecrets", ListOf{open("name", String)},
		"hostAliases topologySpreadConstraints readinessGates", ListOf{tree},
		"tolerations", ListOf{open("key operator value effect", String, "tolerationSeconds", Int64)})
	container = open("name image workingDir imagePullPolicy restartPolicy terminationMessagePath "+
		"terminationMessagePolicy", String, "command args", texts, "stdin stdinOnce tty", Bool,
		"ports", ListOf{open("name protocol hostIP", String, "containerPort hostPort", Int32)},
		"env", ListOf{open("name value", String, "valueFrom", tree)}, "envFrom", ListOf{tree},
		"resources", open("limits requests", amounts), "lifecycle securityContext", tree,
		"volumeMounts", ListOf{open("name mountPath subPath", String, "readOnly", Bool)},
		"livenessProbe readinessProbe startupProbe", open("initialDelaySeconds timeoutSeconds "+
			"periodSeconds successThreshold failureThreshold", Int32,
			"httpGet", open("path host scheme", String, "port", IntOrString)))
	podStatus = open("phase reason message nominatedNodeName hostIP podIP qosClass", String,
		"startTime", Time, "conditions", conditions, "podIPs hostIPs", ListOf{open("ip", String)},
		"containerStatuses initContainerStatuses ephemeralContainerStatuses", ListOf{open(
			"name image imageID containerID", String, "ready started", Bool, "restartCount", Int32,
			"state lastState", containerState)})
	containerState = open("waiting", open("reason message", String),
		"running", open("startedAt", Time),
		"terminated", open("exitCode signal", Int32, "reason message containerID", String,
			"startedAt finishedAt", Time))
)
