package watchglass

import "reflect"

// DeepCopy returns a copy of an object that shares nothing with it: everything behind its pointers,
// maps, slices and interfaces is copied, too. A program that gets an object from a cache copies it
// before it changes the object. nil stays nil, and what is empty stays empty.
//
// Unexported fields are copied by assignment, so what they point to is shared. That is right for a
// time.Time, which never changes. A generated type that keeps more in such fields has a DeepCopy
// method of its own. Funcs and channels are shared. A pointer that occurs twice becomes two, and
// one that leads back to itself never ends: API objects, which came from JSON, have none of these.
func DeepCopy[T any](obj T) T {
	unshare(reflect.ValueOf(&obj).Elem())
	return obj
}

// unshare replaces what v refers to by copies.
func unshare(v reflect.Value) {
	switch kind := v.Kind(); kind {
	case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice:
		if !v.IsNil() {
			v.Set(copyOf(v, kind))
		}
	case reflect.Array:
		unshareElements(v)
	case reflect.Struct:
		for i := range v.NumField() {
			// The fields of an embedded struct can be set, even if its own name is unexported.
			if field := v.Field(i); field.CanSet() || field.Kind() == reflect.Struct {
				unshare(field)
			}
		}
	}
}

// copyOf returns a deep copy of v, which is not nil.
func copyOf(v reflect.Value, kind reflect.Kind) (copied reflect.Value) {
	switch kind {
	case reflect.Map:
		copied = reflect.MakeMapWithSize(v.Type(), v.Len())
		value := reflect.New(v.Type().Elem()).Elem()
		for entry := v.MapRange(); entry.Next(); {
			value.SetIterValue(entry)
			unshare(value)
			copied.SetMapIndex(entry.Key(), value)
		}
		return copied
	case reflect.Slice:
		copied = reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(copied, v)
		unshareElements(copied)
		return copied
	}
	pointer := reflect.New(v.Elem().Type())
	pointer.Elem().Set(v.Elem())
	unshare(pointer.Elem())
	if kind == reflect.Interface {
		return pointer.Elem()
	}
	return pointer
}

// unshareElements skips elements that refer to nothing, such as bytes.
func unshareElements(v reflect.Value) {
	if kind := v.Type().Elem().Kind(); kind <= reflect.Complex128 || kind == reflect.String {
		return
	}
	for i := range v.Len() {
		unshare(v.Index(i))
	}
}
