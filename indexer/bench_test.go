package indexer

import (
	"fmt"
	"testing"

	"example.com/watchglass"
)

// Computing a key costs an allocation. The indexer makes no other, unless its maps have to grow.

func BenchmarkAdd(b *testing.B) {
	const size = 100_000
	objs := manyObjects(size)
	b.ReportAllocs()
	for n := 0; n < b.N; n += size {
		ix := New(namespaceOnly())
		for _, obj := range objs {
			_ = ix.Add(obj)
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	const size = 100_000
	objs := manyObjects(size)
	for _, same := range []bool{true, false} {
		b.Run(fmt.Sprintf("sameValue=%t", same), func(b *testing.B) {
			ix := New(Options{Indexers: Indexers{"value": byValue}})
			states := [2][]*valued{make([]*valued, size), make([]*valued, size)}
			for i, obj := range objs {
				meta := obj.(*watchglass.ObjectMeta)
				states[0][i] = &valued{*meta, meta.Namespace}
				states[1][i] = states[0][i]
				if !same {
					states[1][i] = &valued{*meta, "moved-" + meta.Namespace}
				}
				_ = ix.Add(states[0][i])
			}
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				_ = ix.Update(states[(n/size+1)%2][n%size])
			}
		})
	}
}

type valued struct {
	watchglass.ObjectMeta
	value string
}

func byValue(values []string, obj watchglass.Object) ([]string, error) {
	return append(values, obj.(*valued).value), nil
}

func BenchmarkReplace(b *testing.B) {
	const size = 100_000
	objs := manyObjects(size)
	ix := New(namespaceOnly())
	b.ReportAllocs()
	for n := 0; n < b.N; n += size {
		_ = ix.Replace(objs, "1")
	}
}

func BenchmarkGetByKey(b *testing.B) {
	const size = 100_000
	ix := New(namespaceOnly())
	_ = ix.Replace(manyObjects(size), "1")
	keys := ix.ListKeys()
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		_, _, _ = ix.GetByKey(keys[n%size])
	}
}

func BenchmarkTrace(b *testing.B) {
	obj := newPod("web-1@1")
	for name, trace := range map[string]*Trace{"nil": nil, "empty": {}, "full": fullTrace()} {
		b.Run(name, func(b *testing.B) {
			ix := New(Options{Trace: trace})
			b.ReportAllocs()
			for b.Loop() {
				_ = ix.Update(obj)
			}
		})
	}
}

func namespaceOnly() Options {
	return Options{Indexers: Indexers{NamespaceIndex: MetaNamespaceIndexFunc}}
}

func manyObjects(n int) []watchglass.Object {
	objs := make([]watchglass.Object, n)
	for i := range objs {
		objs[i] = &watchglass.ObjectMeta{
			Namespace:       fmt.Sprintf("ns-%03d", i%100),
			Name:            fmt.Sprintf("web-%06d", i),
			ResourceVersion: "1",
		}
	}
	return objs
}
