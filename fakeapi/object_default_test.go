package fakeapi

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi/object"
)

// A filled is an object that a client sends, and the values that some of its fields
// have afterwards: fields that controllers dereference without checking.
type filled struct {
	law, resource, object string
	want                  map[string]string // JSON by path; empty: there is no such field
}

var fillings = []filled{
	{"an empty deployment", "deployments", `{"metadata":{"name":"a"}}`, map[string]string{
		".spec.replicas": "1", ".spec.revisionHistoryLimit": "10", ".spec.progressDeadlineSeconds": "600",
		".spec.strategy": `{"rollingUpdate":{"maxSurge":"25%","maxUnavailable":"25%"},"type":"RollingUpdate"}`,
		".spec.template": "", ".status": "{}"}},
	{"a deployment with the strategy Recreate has no rollingUpdate", "deployments",
		`{"metadata":{"name":"a"},"spec":{"replicas":0,"strategy":{"type":"Recreate"}}}`,
		map[string]string{".spec.replicas": "0", ".spec.strategy": `{"type":"Recreate"}`}},
	{"half a strategy is completed", "deployments",
		`{"metadata":{"name":"a"},"spec":{"strategy":{"rollingUpdate":{"maxSurge":1}}}}`,
		map[string]string{".spec.strategy.rollingUpdate": `{"maxSurge":1,"maxUnavailable":"25%"}`}},
	{"a pod template has a pod's defaults, without those of admission", "deployments",
		`{"metadata":{"name":"a"},"spec":{"template":{"spec":{"containers":[{"image":"nginx"}]}}}}`,
		map[string]string{".spec.template.spec.restartPolicy": `"Always"`,
			".spec.template.spec.containers": `[{"image":"nginx","imagePullPolicy":"Always","resources":{},` +
				`"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}]`,
			".spec.template.spec.serviceAccountName": ""}},
	{"a replica set", "replicasets", `{"metadata":{"name":"a"}}`, map[string]string{
		".spec.replicas": "1", ".status.replicas": "0"}},
	{"an empty pod", "pods", `{"metadata":{"name":"a"}}`, map[string]string{
		".spec": `{"dnsPolicy":"ClusterFirst","enableServiceLinks":true,"preemptionPolicy":` +
			`"PreemptLowerPriority","priority":0,"restartPolicy":"Always","schedulerName":` +
			`"default-scheduler","securityContext":{},"serviceAccount":"default",` +
			`"serviceAccountName":"default","terminationGracePeriodSeconds":30}`}},
	{"a pod keeps the values that it has", "pods",
		`{"metadata":{"name":"a"},"spec":{"restartPolicy":"Never","serviceAccountName":"me","dnsPolicy":""}}`,
		map[string]string{".spec.restartPolicy": `"Never"`, ".spec.serviceAccount": `"me"`,
			".spec.dnsPolicy": `"ClusterFirst"`}},
	{"a probe is completed, a missing one stays missing",
		"pods", `{"metadata":{"name":"a"},"spec":{"containers":[{` +
			`"image":"reg:5000/a/b:1.2","livenessProbe":{"httpGet":{"port":80},"periodSeconds":3},` +
			`"ports":[{"containerPort":80},{"containerPort":53,"protocol":"UDP"}]}]}}`, map[string]string{
			".spec.containers": `[{"image":"reg:5000/a/b:1.2","imagePullPolicy":"IfNotPresent",` +
				`"livenessProbe":{"failureThreshold":3,"httpGet":{"path":"/","port":80,"scheme":"HTTP"},` +
				`"periodSeconds":3,"successThreshold":1,"timeoutSeconds":1},"ports":[{"containerPort":80,` +
				`"protocol":"TCP"},{"containerPort":53,"protocol":"UDP"}],"resources":{},` +
				`"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}]`}},
	{"volumes", "pods", `{"metadata":{"name":"a"},"spec":{"volumes":[{"secret":{}},{"emptyDir":{}}]}}`,
		map[string]string{".spec.volumes": `[{"secret":{"defaultMode":420}},{"emptyDir":{}}]`}},
	{"a service", "services", `{"metadata":{"name":"a"},"spec":{"ports":[{"port":80}]}}`,
		map[string]string{".spec": `{"clusterIP":"10.96.1.1","clusterIPs":["10.96.1.1"],` +
			`"internalTrafficPolicy":"Cluster","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack",` +
			`"ports":[{"port":80,"protocol":"TCP","targetPort":80}],"sessionAffinity":"None",` +
			`"type":"ClusterIP"}`, ".status": `{"loadBalancer":{}}`}},
	{"a service without an address", "services",
		`{"metadata":{"name":"a"},"spec":{"clusterIP":"None"}}`,
		map[string]string{".spec.clusterIP": `"None"`, ".spec.clusterIPs": `["None"]`}},
	{"a service that names its address in the list", "services",
		`{"metadata":{"name":"a"},"spec":{"clusterIPs":["10.96.0.10"]}}`,
		map[string]string{".spec.clusterIP": `"10.96.0.10"`, ".spec.clusterIPs": `["10.96.0.10"]`}},
	{"an ExternalName service", "services",
		`{"metadata":{"name":"a"},"spec":{"type":"ExternalName","externalName":"x.example.dev"}}`,
		map[string]string{".spec.clusterIP": "", ".spec.ipFamilies": "",
			".spec.internalTrafficPolicy": ""}},
	{"a load balancer with session affinity", "services",
		`{"metadata":{"name":"a"},"spec":{"type":"LoadBalancer","sessionAffinity":"ClientIP"}}`,
		map[string]string{".spec.externalTrafficPolicy": `"Cluster"`,
			".spec.allocateLoadBalancerNodePorts": "true",
			".spec.sessionAffinityConfig":         `{"clientIP":{"timeoutSeconds":10800}}`}},
	{"a secret with stringData", "secrets",
		`{"metadata":{"name":"a"},"data":{"a":"eA==","b":"eA=="},"stringData":{"a":"hello"}}`,
		map[string]string{".data": `{"a":"aGVsbG8=","b":"eA=="}`, ".stringData": "",
			".type": `"Opaque"`}},
	{"a custom resource has no defaults", "widgets", `{"metadata":{"name":"a"},"spec":{}}`,
		map[string]string{".spec": "{}"}},
}

func TestTheServerFillsInDefaults(t *testing.T) {
	for _, f := range fillings {
		t.Run(f.law, func(t *testing.T) {
			s := New(Options{})
			defer s.Close()
			raw, err := s.Create(f.resource, f.object)
			require.NoError(t, err)
			f.check(t, raw)
			version := s.ResourceVersion()
			raw, err = s.Update(f.resource, f.object) // leaves out the same fields again
			require.NoError(t, err)
			f.check(t, raw)
			assert.Equal(t, version, s.ResourceVersion(),
				"an update that leaves out the same fields changes nothing")
		})
	}
}

func (f filled) check(t *testing.T, raw []byte) {
	t.Helper()
	obj, err := object.DecodeTree(raw)
	require.NoError(t, err)
	for path, want := range f.want {
		got := ""
		if v, ok := object.Lookup(obj, path); ok {
			b, err := json.Marshal(v)
			require.NoError(t, err)
			got = string(b)
		}
		assert.Equal(t, want, got, path)
	}
}

func TestAServiceKeepsItsAddress(t *testing.T) {
	bubble(t, Options{}, func(t *testing.T, s *Server) {
		play(t, s, "/api/v1/namespaces/default/services", []try{
			{"the first", "POST", "", `{"metadata":{"name":"web-1"}}`, 201, 1, `"clusterIP":"10.96.1.1"`},
			{"the next", "POST", "", `{"metadata":{"name":"web-2"}}`, 201, 1, `"clusterIP":"10.96.1.2"`},
			{"an update without an address keeps it", "PUT", "/web-1",
				`{"metadata":{"name":"web-1","labels":{"a":"b"}},"spec":{"type":"NodePort"}}`, 200, 1,
				`"clusterIP":"10.96.1.1","clusterIPs":["10.96.1.1"],"externalTrafficPolicy":"Cluster"`},
			{"a service that becomes an ExternalName loses it", "PATCH", "/web-1",
				`merge:{"spec":{"type":"ExternalName"}}`, 200, 1, `"spec":{"externalTrafficPolicy"`},
		})
	})
}
