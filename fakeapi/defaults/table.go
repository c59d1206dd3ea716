package defaults

import (
	"cmp"
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/object"
)

// presets are those of the built-in types, by qualified name. A preset may rely on those
// before it.
var presets = map[string][]preset{
	"pods":     append([]preset{{".spec", object.Tree{}}}, below(".spec", podSpec, podAdmitted)...),
	"services": serviceDefaults,
	"secrets":  {{".type", "Opaque"}},
	"deployments.apps": slices.Concat([]preset{
		{".spec", object.Tree{}}, {".spec.replicas", int64(1)},
		{".spec.strategy", object.Tree{}}, {".spec.strategy.type", "RollingUpdate"},
		{".spec.strategy.rollingUpdate", when("type", object.Tree{}, "RollingUpdate")},
		{".spec.strategy.rollingUpdate.maxUnavailable", "25%"},
		{".spec.strategy.rollingUpdate.maxSurge", "25%"},
		{".spec.revisionHistoryLimit", int64(10)}, {".spec.progressDeadlineSeconds", int64(600)},
		{".status", object.Tree{}},
	}, below(".spec.template.spec", podSpec)),
	"replicasets.apps": slices.Concat([]preset{
		{".spec", object.Tree{}}, {".spec.replicas", int64(1)},
		{".status", object.Tree{}}, {".status.replicas", int64(0)},
	}, below(".spec.template.spec", podSpec)),
}

// podSpec are the defaults of a pod, and of a template for pods.
var podSpec = slices.Concat([]preset{
	{".restartPolicy", "Always"}, {".terminationGracePeriodSeconds", int64(30)},
	{".dnsPolicy", "ClusterFirst"}, {".securityContext", object.Tree{}},
	{".schedulerName", "default-scheduler"},
}, below(".volumes[]", volume), below(".containers[]", container),
	below(".initContainers[]", container), below(".ephemeralContainers[]", container))

var volume = []preset{
	{".secret.defaultMode", int64(0o644)}, {".configMap.defaultMode", int64(0o644)},
	{".downwardAPI.defaultMode", int64(0o644)}, {".projected.defaultMode", int64(0o644)},
	{".projected.sources[].serviceAccountToken.expirationSeconds", int64(3600)},
	{".hostPath.type", ""},
}

// podAdmitted are the defaults that a real server's admission gives to a pod, but not
// to a template.
var podAdmitted = []preset{
	{".enableServiceLinks", true}, {".serviceAccountName", "default"},
	{".serviceAccount", func(spec object.Tree) any { return spec["serviceAccountName"] }},
	{".priority", int64(0)}, {".preemptionPolicy", "PreemptLowerPriority"},
}

var container = slices.Concat([]preset{
	{".terminationMessagePath", "/dev/termination-log"}, {".terminationMessagePolicy", "File"},
	{".imagePullPolicy", imagePullPolicy}, {".resources", object.Tree{}},
	{".ports[].protocol", "TCP"}, {".env[].valueFrom.fieldRef.apiVersion", "v1"},
}, below(".livenessProbe", probe), below(".readinessProbe", probe), below(".startupProbe", probe))

var probe = []preset{
	{".timeoutSeconds", int64(1)}, {".periodSeconds", int64(10)},
	{".successThreshold", int64(1)}, {".failureThreshold", int64(3)},
	{".httpGet.path", "/"}, {".httpGet.scheme", "HTTP"}, {".grpc.service", ""},
}

// imagePullPolicy returns Always for an image without a digest or a tag other than latest:
// its name may stand for another image tomorrow.
func imagePullPolicy(container object.Tree) any {
	image, _ := container["image"].(string)
	name, _, hasDigest := strings.Cut(image, "@")
	_, tag, _ := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ":")
	if !hasDigest && cmp.Or(tag, "latest") == "latest" {
		return "Always"
	}
	return "IfNotPresent"
}

// The types of services that have a cluster IP, and those among them that can also be
// reached from outside the cluster.
var (
	internalTypes = []string{"ClusterIP", "NodePort", "LoadBalancer"}
	externalTypes = internalTypes[1:]
)

var serviceDefaults = []preset{
	{".spec", object.Tree{}}, {".spec.type", "ClusterIP"}, {".spec.sessionAffinity", "None"},
	{".spec.sessionAffinityConfig", when("sessionAffinity", object.Tree{}, "ClientIP")},
	{".spec.sessionAffinityConfig.clientIP", object.Tree{}},
	{".spec.sessionAffinityConfig.clientIP.timeoutSeconds", int64(10800)},
	{".spec.ports[].protocol", "TCP"},
	{".spec.ports[].targetPort", func(port object.Tree) any { return port["port"] }},
	{".spec.internalTrafficPolicy", when("type", "Cluster", internalTypes...)},
	{".spec.externalTrafficPolicy", when("type", "Cluster", externalTypes...)},
	{".spec.allocateLoadBalancerNodePorts", when("type", true, "LoadBalancer")},
	{".spec.ipFamilies", when("type", []any{"IPv4"}, internalTypes...)},
	{".spec.ipFamilyPolicy", when("type", "SingleStack", internalTypes...)},
	{".status", object.Tree{}}, {".status.loadBalancer", object.Tree{}},
}
