package client

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"io"
	"testing"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
)

// full is a struct with as many fields in as many levels as a Pod usually has.
type full struct {
	watchglass.TypeMeta
	fullMeta `json:"metadata"`
	Spec     struct {
		NodeName, ServiceAccountName, RestartPolicy string
		NodeSelector                                map[string]string
		Containers                                  []struct {
			Name, Image string
			Args        []string
			Env         []struct{ Name, Value string }
			Resources   map[string]map[string]string
		}
	}
	Status struct {
		Phase, PodIP string
		Conditions   []struct {
			Type, Status       string
			LastTransitionTime time.Time
		}
	}
}

type fullMeta struct {
	watchglass.ObjectMeta
	ManagedFields []struct {
		APIVersion, FieldsType, Manager, Operation string
		FieldsV1                                   json.RawMessage
		Time                                       time.Time
	}
}

// some is for a program that reads two fields of a Pod.
type some struct {
	watchglass.ObjectMeta `json:"metadata"`
	Spec                  struct{ NodeName string }
	Status                struct{ Phase string }
}

// least is the same without the metadata that a cache does not need.
type least struct {
	leastMeta `json:"metadata"`
	Spec      struct{ NodeName string }
	Status    struct{ Phase string }
}

type leastMeta struct{ Name, Namespace, ResourceVersion string }

func (m *leastMeta) GetName() string            { return m.Name }
func (m *leastMeta) GetNamespace() string       { return m.Namespace }
func (m *leastMeta) GetResourceVersion() string { return m.ResourceVersion }

// pod is about 2.4 KB, managedFields included, which no test reads but the decoder must skip.
//
//go:embed testdata/pod.json
var pod []byte

var podFrame = []byte(`{"type":"MODIFIED","object":` + string(bytes.TrimSpace(pod)) + `}`)

// BenchmarkT shows what the choice of T costs: the same event, decoded into all fields that it has
// or into those that a program reads.
func BenchmarkT(b *testing.B) {
	b.Run("full", benchmarkT[full])
	b.Run("metadata and two fields", benchmarkT[some])
	b.Run("name and two fields", benchmarkT[least])
	b.Run("dynamic", benchmarkT[watchglass.Unstructured])
}

func benchmarkT[T any, P objectPointer[T]](b *testing.B) {
	b.ReportAllocs()
	b.SetBytes(int64(len(podFrame)))
	var by decoder
	for b.Loop() {
		if _, err := (eventDecoder[T, P]{}).decode(&by, podFrame); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkList reports a list of 500 objects as one operation.
func BenchmarkList(b *testing.B) {
	b.ReportAllocs()
	doc := []byte(`{"kind":"PodList","items":[`)
	doc = append(append(doc, bytes.Repeat(append(pod, ','), 499)...), pod...)
	doc = append(doc, `]}`...)
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		if _, err := readList[full](bytes.NewReader(doc), 1<<20, wanted{}); err != nil {
			b.Fatal(err)
		}
	}
}

// readList reads a list that nothing ends.
func readList[T any, P objectPointer[T]](
	r io.Reader, limit int, want wanted,
) (*reflector.List, error) {
	return decodeList[T, P](context.Background(), r, limit, want)
}
