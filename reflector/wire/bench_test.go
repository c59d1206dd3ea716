package wire

import (
	"strings"
	"testing"
	"time"

	"example.com/watchglass"
)

// podLike is a struct with as many fields in as many levels as a Pod of 2.5 KB usually has.
type podLike struct {
	watchglass.TypeMeta
	watchglass.ObjectMeta `json:"metadata"`
	Spec                  podSpec   `json:"spec"`
	Status                podStatus `json:"status"`
}

type podSpec struct {
	NodeName           string            `json:"nodeName"`
	ServiceAccountName string            `json:"serviceAccountName"`
	RestartPolicy      string            `json:"restartPolicy"`
	NodeSelector       map[string]string `json:"nodeSelector"`
	Containers         []podContainer    `json:"containers"`
}

type podContainer struct {
	Name  string   `json:"name"`
	Image string   `json:"image"`
	Args  []string `json:"args"`
	Env   []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	} `json:"env"`
	Resources map[string]map[string]string `json:"resources"`
}

type podStatus struct {
	Phase      string `json:"phase"`
	PodIP      string `json:"podIP"`
	Conditions []struct {
		Type               string    `json:"type"`
		Status             string    `json:"status"`
		LastTransitionTime time.Time `json:"lastTransitionTime"`
	} `json:"conditions"`
}

// podJSON is about 2.5 KB, managedFields included, which nobody reads but which must be skipped.
var podJSON = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-1","namespace":"shop",` +
	`"uid":"41b9e148-fc69-4f6a-bfdd-2a0f5fa10e78","resourceVersion":"156135","generation":1,` +
	`"creationTimestamp":"2026-11-20T13:27:13Z","labels":{"app":"web","tier":"front",` +
	`"pod-template-hash":"6d4b75cb6d"},"annotations":{"kubernetes.io/config.source":"api"},` +
	`"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-6d4b75cb6d",` +
	`"uid":"545176cc-063c-404d-8be3-d476c603b218","controller":true}],"managedFields":[{` +
	`"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{` +
	strings.Repeat(`"f:metadata":{"f:labels":{".":{},"f:app":{},"f:tier":{}}},`, 12) +
	`"f:spec":{}},"manager":"kubelet","operation":"Update","time":"2026-11-20T13:27:13Z"}]},` +
	`"spec":{"nodeName":"node-7","serviceAccountName":"default","restartPolicy":"Always",` +
	`"nodeSelector":{"kubernetes.io/os":"linux"},"containers":[{"name":"web","image":` +
	`"registry.example.com/shop/web:1.2.3","args":["--port=8080","--verbose"],"env":[` +
	strings.Repeat(`{"name":"SETTING","value":"some value of it"},`, 6) +
	`{"name":"LAST","value":"x"}],"resources":{"limits":{"cpu":"1","memory":"1Gi"},` +
	`"requests":{"cpu":"100m","memory":"128Mi"}}}]},"status":{"phase":"Running","podIP":` +
	`"10.0.0.7","conditions":[` +
	strings.Repeat(`{"type":"Ready","status":"True","lastTransitionTime":"2026-11-20T13:27:13Z"},`,
		3) +
	`{"type":"PodScheduled","status":"True","lastTransitionTime":"2026-11-20T13:27:13Z"}]}}`

var podFrame = []byte(`{"type":"MODIFIED","object":` + podJSON + `}`)

func BenchmarkFrames(b *testing.B) {
	b.ReportAllocs()
	b.SetBytes(int64(len(podFrame)) + 1)
	frames := NewFrameReader(&loop{data: append(podFrame, '\n')})
	for b.Loop() {
		if _, err := frames.Next(); err != nil {
			b.Fatal(err)
		}
	}
}

// loop reads the same bytes again and again, at the speed of memory.
type loop struct {
	data []byte
	at   int
}

func (l *loop) Read(p []byte) (int, error) {
	if l.at == len(l.data) {
		l.at = 0
	}
	n := copy(p, l.data[l.at:])
	l.at += n
	return n, nil
}

func BenchmarkDecodeEvent(b *testing.B) {
	b.ReportAllocs()
	b.SetBytes(int64(len(podFrame)))
	var d eventDecoder[podLike, *podLike]
	for b.Loop() {
		if _, err := d.decode(podFrame); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDecodeList reports a list of 500 objects as one operation.
func BenchmarkDecodeList(b *testing.B) {
	b.ReportAllocs()
	doc := `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[` +
		strings.Repeat(podJSON+",", 499) + podJSON + `]}`
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		if _, err := DecodeList[podLike](strings.NewReader(doc)); err != nil {
			b.Fatal(err)
		}
	}
}
