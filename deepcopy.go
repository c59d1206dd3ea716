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

// unshare replaces what v refers to by copies. A zero value refers to nothing.
func unshare(v reflect.Value) {
	if v.IsZero() {
		return
	}
	switch kind := v.Kind(); kind {
	case reflect.Pointer, reflect.Interface:
		copied := reflect.New(v.Elem().Type()).Elem()
		copied.Set(v.Elem())
		unshare(copied)
		if kind == reflect.Pointer {
			copied = copied.Addr()
		}
		v.Set(copied)
	case reflect.Map:
		copied := reflect.MakeMapWithSize(v.Type(), v.Len())
		value := reflect.New(v.Type().Elem()).Elem()
		for entry := v.MapRange(); entry.Next(); {
			value.SetIterValue(entry)
			unshare(value)
			copied.SetMapIndex(entry.Key(), value)
		}
		v.Set(copied)
	case reflect.Slice, reflect.Array:
		if kind == reflect.Slice {
			copied := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(copied, v)
			v.Set(copied)
		}
		of := v.Type().Elem().Kind() // bytes, for example, refer to nothing
		for i := 0; of > reflect.Complex128 && of != reflect.String && i < v.Len(); i++ {
			unshare(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			// The fields of an embedded struct can be set, even if its own name is unexported.
			if field := v.Field(i); field.CanSet() || field.Kind() == reflect.Struct {
				unshare(field)
			}
		}
	}
}
