package watchglass

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// refersTo collects the addresses of all that a program could change through v.
func refersTo(v reflect.Value, found map[uintptr]bool) map[uintptr]bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice:
		if v.Kind() != reflect.Slice || v.Cap() > 0 {
			found[v.Pointer()] = true
		}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			refersTo(v.Elem(), found)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			refersTo(v.Index(i), found)
		}
	case reflect.Map:
		for entry := v.MapRange(); entry.Next(); {
			refersTo(entry.Value(), found)
		}
	case reflect.Struct:
		for i := 0; i < v.NumField() && v.Type() != reflect.TypeFor[time.Time](); i++ {
			refersTo(v.Field(i), found)
		}
	}
	return found
}

// sharesNothing checks the law of a deep copy. reflect.DeepEqual tells nil from empty.
func sharesNothing(t testing.TB, obj, copied any) {
	t.Helper()
	assert.True(t, reflect.DeepEqual(obj, copied), "have %+v, want %+v", copied, obj)
	of := refersTo(reflect.ValueOf(obj), map[uintptr]bool{})
	delete(of, 0) // of what is nil
	for address := range refersTo(reflect.ValueOf(copied), map[uintptr]bool{}) {
		assert.False(t, of[address], "the copy refers to a part of the original")
	}
}

type embedded struct{ Ports []int }

// everything has a field of each sort that API types have.
type everything struct {
	widget
	embedded
	Time      *time.Time
	Map       map[string][]*int
	Structs   map[string]embedded
	Array     [2][]string
	Raw       json.RawMessage
	Any       any
	NilMap    map[string]string
	NoMap     map[string]string
	NilSlice  []string
	NoSlice   []string
	NilAny    any
	Interface Object
	private   *int
}

func TestADeepCopySharesNothing(t *testing.T) {
	obj := &everything{
		widget: widget{ObjectMeta: fullMeta()}, embedded: embedded{[]int{80}}, Time: new(time.Now()),
		Map: map[string][]*int{"a": {new(1), nil}}, Structs: map[string]embedded{"a": {[]int{1}}},
		Array: [2][]string{{"a"}, nil},
		Raw:   json.RawMessage("1"), Any: map[string]any{"a": []any{"b", 1}},
		NoMap: map[string]string{}, NoSlice: []string{},
		Interface: parse(t, recorded), private: nil,
	}
	sharesNothing(t, obj, DeepCopy(obj))
	sharesNothing(t, obj.Interface, DeepCopy(obj.Interface))
	sharesNothing(t, obj.Any, DeepCopy(obj.Any))
	assert.Nil(t, DeepCopy[*widget](nil))
	assert.Nil(t, DeepCopy[Object](nil))

	obj.private = new(1)
	assert.Same(t, obj.private, DeepCopy(obj).private, "an unexported field is copied by assignment")
}

func FuzzDeepCopy(f *testing.F) {
	f.Add(recorded)
	f.Add(`{"a":[null,{},[],{"b":[{"c":1}]}],"metadata":{"finalizers":[],"labels":{}}}`)
	f.Fuzz(func(t *testing.T, doc string) {
		var u Unstructured
		var w widget
		if u.UnmarshalJSON([]byte(doc)) == nil {
			sharesNothing(t, &u, DeepCopy(&u))
		}
		if json.Unmarshal([]byte(doc), &w) == nil {
			sharesNothing(t, &w, DeepCopy(&w))
		}
	})
}
