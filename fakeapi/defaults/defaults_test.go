package defaults

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
)

// A filled is an object that a client sends, and the values that some of its fields
// have afterwards: fields that controllers dereference without checking.
type filled struct {
	law, resource, object string
	want                  map[string]string // JSON by path; empty: there is no such field
}

var fillings = []filled{
	{"an empty deployment", "deployments.apps", `{}`, map[string]string{
		".spec.replicas": "1", ".spec.revisionHistoryLimit": "10", ".spec.progressDeadlineSeconds": "600",
		".spec.strategy": `{"rollingUpdate":{"maxSurge":"25%","maxUnavailable":"25%"},"type":"RollingUpdate"}`,
		".spec.template": "", ".status": "{}"}},
	{"a deployment with the strategy Recreate has no rollingUpdate", "deployments.apps",
		`{"spec":{"replicas":0,"strategy":{"type":"Recreate"}}}`,
		map[string]string{".spec.replicas": "0", ".spec.strategy": `{"type":"Recreate"}`}},
	{"half a strategy is completed", "deployments.apps",
		`{"spec":{"strategy":{"rollingUpdate":{"maxSurge":1}}}}`,
		map[string]string{".spec.strategy.rollingUpdate": `{"maxSurge":1,"maxUnavailable":"25%"}`}},
	{"a pod template has a pod's defaults, without those of admission", "deployments.apps",
		`{"spec":{"template":{"spec":{"containers":[{"image":"nginx"}]}}}}`,
		map[string]string{".spec.template.spec.restartPolicy": `"Always"`,
			".spec.template.spec.containers": `[{"image":"nginx","imagePullPolicy":"Always","resources":{},` +
				`"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}]`,
			".spec.template.spec.serviceAccountName": ""}},
	{"a replica set", "replicasets.apps", `{}`, map[string]string{
		".spec.replicas": "1", ".status.replicas": "0"}},
	{"an empty pod", "pods", `{}`, map[string]string{
		".spec": `{"dnsPolicy":"ClusterFirst","enableServiceLinks":true,"preemptionPolicy":` +
			`"PreemptLowerPriority","priority":0,"restartPolicy":"Always","schedulerName":` +
			`"default-scheduler","securityContext":{},"serviceAccount":"default",` +
			`"serviceAccountName":"default","terminationGracePeriodSeconds":30}`}},
	{"a pod keeps the values that it has", "pods", `{"spec":{"restartPolicy":"Never",` +
		`"serviceAccountName":"me","dnsPolicy":""}}`, map[string]string{".spec.restartPolicy": `"Never"`, ".spec.serviceAccount": `"me"`, ".spec.dnsPolicy": `"ClusterFirst"`}},
	{"a probe is completed, a missing one stays missing",
		"pods", `{"spec":{"containers":[{` +
			`"image":"reg:5000/a/b:1.2","livenessProbe":{"httpGet":{"port":80},"periodSeconds":3},` +
			`"ports":[{"containerPort":80},{"containerPort":53,"protocol":"UDP"}]}]}}`, map[string]string{
			".spec.containers": `[{"image":"reg:5000/a/b:1.2","imagePullPolicy":"IfNotPresent",` +
				`"livenessProbe":{"failureThreshold":3,"httpGet":{"path":"/","port":80,"scheme":"HTTP"},` +
				`"periodSeconds":3,"successThreshold":1,"timeoutSeconds":1},"ports":[{"containerPort":80,` +
				`"protocol":"TCP"},{"containerPort":53,"protocol":"UDP"}],"resources":{},` +
				`"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}]`}},
	{"volumes", "pods", `{"spec":{"volumes":[{"secret":{}},{"emptyDir":{}}]}}`,
		map[string]string{".spec.volumes": `[{"secret":{"defaultMode":420}},{"emptyDir":{}}]`}},
	{"a service", "services", `{"spec":{"ports":[{"port":80}]}}`,
		map[string]string{".spec": `{"clusterIP":"10.96.1.1","clusterIPs":["10.96.1.1"],` +
			`"internalTrafficPolicy":"Cluster","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack",` +
			`"ports":[{"port":80,"protocol":"TCP","targetPort":80}],"sessionAffinity":"None",` +
			`"type":"ClusterIP"}`, ".status": `{"loadBalancer":{}}`}},
	{"a service without an address", "services", `{"spec":{"clusterIP":"None"}}`, map[string]string{
		".spec.clusterIP": `"None"`, ".spec.clusterIPs": `["None"]`}},
	{"a service that names its address in the list", "services",
		`{"spec":{"clusterIPs":["10.96.0.10"]}}`,
		map[string]string{".spec.clusterIP": `"10.96.0.10"`, ".spec.clusterIPs": `["10.96.0.10"]`}},
	{"an ExternalName service", "services", `{"spec":{"type":"ExternalName",` +
		`"externalName":"x.example.dev"}}`, map[string]string{".spec.clusterIP": "",
		".spec.ipFamilies": "", ".spec.internalTrafficPolicy": ""}},
	{"a load balancer with session affinity", "services", `{"spec":{"type":"LoadBalancer",` +
		`"sessionAffinity":"ClientIP"}}`, map[string]string{".spec.externalTrafficPolicy": `"Cluster"`, ".spec.allocateLoadBalancerNodePorts": "true", ".spec.sessionAffinityConfig": `{"clientIP":{"timeoutSeconds":10800}}`}},
	{"a secret with stringData", "secrets", `{"data":{"a":"eA==","b":"eA=="},` +
		`"stringData":{"a":"hello"}}`, map[string]string{".data": `{"a":"aGVsbG8=","b":"eA=="}`,
		".stringData": "", ".type": `"Opaque"`}},
	{"a custom resource has no defaults", "widgets.workshop.example.dev", `{"spec":{}}`,
		map[string]string{".spec": "{}"}},
}

func typeOf(name string) *resource.Type {
	for _, r := range resource.Defaults() {
		if r.QualifiedName() == name {
			return resource.New(r)
		}
	}
	panic(name)
}

func TestDefaultsAreFilledIn(t *testing.T) {
	for _, f := range fillings {
		var d Defaults
		decode := func() object.Tree {
			o, err := object.DecodeTree([]byte(f.object))
			require.NoError(t, err, f.law)
			return o
		}
		o, again := decode(), decode()
		d.Complete(typeOf(f.resource), nil, o)
		d.Complete(typeOf(f.resource), o, again)
		assert.Equal(t, o, again, "%s: an update that leaves out the same fields changes nothing", f.law)
		for path, want := range f.want {
			got := ""
			if v := object.Lookup(o, path); v != nil {
				got = string(object.JSON(v))
			}
			assert.Equal(t, want, got, "%s: %s", f.law, path)
		}
	}
}

func TestAServiceKeepsItsAddress(t *testing.T) {
	var d Defaults
	service := func(was object.Tree, spec object.Tree) object.Tree {
		o := object.Tree{"spec": spec}
		d.Complete(typeOf("services"), was, o)
		return o
	}
	one, two := service(nil, object.Tree{}), service(nil, object.Tree{})
	assert.Equal(t, "10.96.1.1 10.96.1.2", object.TextAt(one, ".spec.clusterIP")+" "+
		object.TextAt(two, ".spec.clusterIP"))
	assert.Equal(t, "10.96.1.1", object.TextAt(service(one, object.Tree{"type": "NodePort"}), ".spec.clusterIP"))
	external := service(one, object.Tree{"type": "ExternalName", "clusterIP": "10.96.1.1"})
	assert.NotContains(t, external["spec"], "clusterIP", "an ExternalName loses it")
}

func TestAddressesAreReusedAfterAllOthers(t *testing.T) {
	d := &Defaults{}
	d.given.Store(1<<20 - 256 - 2)
	assert.Equal(t, "10.96.1.0", d.next(), "the first address follows the last")
	d.given.Store(1<<20 - 256 - 3)
	assert.Equal(t, "10.111.255.254", d.next(), "no service gets the broadcast address")
}
