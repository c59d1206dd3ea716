package wire

import (
	"context"
	"encoding/json"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
	"github.com/stretchr/testify/assert"
)

// full is a struct with as many fields in as many levels as a Pod of 2.5 KB usually has.
type full struct {
	watchglass.TypeMeta
	fullMeta `json:"metadata"`
	Spec     struct {
		NodeName           string            `json:"nodeName"`
		ServiceAccountName string            `json:"serviceAccountName"`
		RestartPolicy      string            `json:"restartPolicy"`
		NodeSelector       map[string]string `json:"nodeSelector"`
		Containers         []struct {
			Name  string   `json:"name"`
			Image string   `json:"image"`
			Args  []string `json:"args"`
			Env   []struct {
				Name  string `json:"name"`
				Value string `json:"value"`
			} `json:"env"`
			Resources map[string]map[string]string `json:"resources"`
		} `json:"containers"`
	} `json:"spec"`
	Status struct {
		Phase      string `json:"phase"`
		PodIP      string `json:"podIP"`
		Conditions []struct {
			Type               string    `json:"type"`
			Status             string    `json:"status"`
			LastTransitionTime time.Time `json:"lastTransitionTime"`
		} `json:"conditions"`
	} `json:"status"`
}

type fullMeta struct {
	watchglass.ObjectMeta
	ManagedFields []struct {
		APIVersion string          `json:"apiVersion"`
		FieldsType string          `json:"fieldsType"`
		FieldsV1   json.RawMessage `json:"fieldsV1"`
		Manager    string          `json:"manager"`
		Operation  string          `json:"operation"`
		Time       time.Time       `json:"time"`
	} `json:"managedFields"`
}

// some is for a program that reads two fields of a Pod.
type some struct {
	watchglass.ObjectMeta `json:"metadata"`
	Spec                  struct {
		NodeName string `json:"nodeName"`
	} `json:"spec"`
	Status struct {
		Phase string `json:"phase"`
	} `json:"status"`
}

// least is the same without the metadata that a cache does not need.
type least struct {
	leastMeta `json:"metadata"`
	Spec      struct {
		NodeName string `json:"nodeName"`
	} `json:"spec"`
	Status struct {
		Phase string `json:"phase"`
	} `json:"status"`
}

type leastMeta struct {
	Name            string `json:"name"`
	Namespace       string `json:"namespace"`
	ResourceVersion string `json:"resourceVersion"`
}

func (m *leastMeta) GetName() string            { return m.Name }
func (m *leastMeta) GetNamespace() string       { return m.Namespace }
func (m *leastMeta) GetResourceVersion() string { return m.ResourceVersion }

// podJSON is about 2.5 KB, managedFields included, which no test reads but the decoder must skip.
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
	strings.Repeat(`{"type":"Ready","status":"True","lastTransitionTime":"2026-11-20T13:27:13Z"},`, 3) +
	`{"type":"PodScheduled","status":"True","lastTransitionTime":"2026-11-20T13:27:13Z"}]}}`

var podFrame = []byte(`{"type":"MODIFIED","object":` + podJSON + `}`)

// BenchmarkT shows what the choice of T costs: the same event, decoded into all fields that it has
// or into those that a program reads. live-B/object is what a cache of such objects takes.
func BenchmarkT(b *testing.B) {
	b.Run("full", benchmarkT[full])
	b.Run("metadata and two fields", benchmarkT[some])
	b.Run("name and two fields", benchmarkT[least])
	b.Run("dynamic", benchmarkT[watchglass.Unstructured])
}

func benchmarkT[T any, P objectPointer[T]](b *testing.B) {
	b.ReportAllocs()
	b.SetBytes(int64(len(podFrame)))
	var d eventDecoder[T, P]
	var by decoder
	for b.Loop() {
		if _, err := d.decode(&by, podFrame); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(liveBytes(d.decode), "live-B/object")
}

// liveBytes is the memory that one object takes when it is kept.
func liveBytes(decode func(*decoder, []byte) (reflector.Event, error)) float64 {
	var before, after runtime.MemStats
	kept := make([]reflector.Event, 1000)
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range kept {
		kept[i], _ = decode(new(decoder), podFrame)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	live := float64(after.HeapAlloc-before.HeapAlloc) / float64(len(kept))
	runtime.KeepAlive(kept)
	return live
}

func TestWhatTLeavesOutCostsNothing(t *testing.T) {
	var by decoder
	allocs := func(decode func(*decoder, []byte) (reflector.Event, error)) float64 {
		return testing.AllocsPerRun(100, func() { _, _ = decode(&by, podFrame) })
	}
	all := allocs(eventDecoder[full, *full]{}.decode)
	two := allocs(eventDecoder[some, *some]{}.decode)
	assert.Less(t, two, all/2, "a T that declares two fields of many allocates less than half")
	assert.Less(t, allocs(eventDecoder[least, *least]{}.decode), two/2,
		"a T that leaves out most metadata allocates less than half again")
}

// BenchmarkWatch and BenchmarkList show what reading ahead makes of it: an operation is an event, or
// a list of 500 objects.
func BenchmarkWatch(b *testing.B) {
	b.ReportAllocs()
	b.SetBytes(int64(len(podFrame)) + 1)
	ctx, cancel := context.WithCancel(b.Context())
	all := &endless{head: string(podFrame) + "\n", pattern: string(podFrame) + "\n"}
	a := newAhead(ctx, cancel, framesOf(all, 1<<20), eventDecoder[full, *full]{}.decode)
	defer a.close()
	for b.Loop() {
		if _, err := a.next(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkList(b *testing.B) {
	b.ReportAllocs()
	doc := `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[` +
		strings.Repeat(podJSON+",", 499) + podJSON + `]}`
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		if _, err := readList[full](strings.NewReader(doc), 1<<20, wanted{}); err != nil {
			b.Fatal(err)
		}
	}
}

// readList reads a list that nothing ends.
func readList[T any, P objectPointer[T]](
	r io.Reader, limit int, want wanted,
) (*reflector.List, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	return decodeList[T, P](ctx, cancel, r, limit, want)
}
