package patch

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStrategicMergePatch(t *testing.T) {
	for _, c := range []struct{ law, doc, patch, want string }{
		{"objects are merged", `{"a":{"b":1}}`, `{"a":{"c":2}}`, `{"a":{"b":1,"c":2}}`},
		{"null removes", `{"a":1,"b":2}`, `{"a":null}`, `{"b":2}`},
		{"a list without a key is replaced", `{"args":[1,2]}`, `{"args":[3]}`, `{"args":[3]}`},
		{"a list with a key is merged by it", `{"containers":[{"image":"x","name":"a"},` +
			`{"name":"b"}]}`, `{"containers":[{"name":"a","tty":true},{"name":"c"}]}`,
			`{"containers":[{"image":"x","name":"a","tty":true},{"name":"b"},{"name":"c"}]}`},
		{"an element is deleted", `{"containers":[{"name":"a"},{"name":"b"}]}`,
			`{"containers":[{"$patch":"delete","name":"a"}]}`, `{"containers":[{"name":"b"}]}`},
		{"deleting an element that is not there changes nothing", `{"containers":[{"name":"b"}]}`,
			`{"containers":[{"$patch":"delete","name":"a"}]}`, `{"containers":[{"name":"b"}]}`},
		{"a merged list is replaced on demand", `{"containers":[{"name":"a"}]}`,
			`{"containers":[{"$patch":"replace"},{"name":"c"}]}`, `{"containers":[{"name":"c"}]}`},
		{"an object is replaced on demand", `{"a":{"b":1}}`, `{"a":{"$patch":"replace","c":2}}`,
			`{"a":{"c":2}}`},
		{"an object is emptied on demand", `{"a":{"b":1}}`, `{"a":{"$patch":"delete"}}`, `{"a":{}}`},
		{"$retainKeys keeps only the fields that it lists", `{"s":{"type":"R","rolling":{}}}`,
			`{"s":{"$retainKeys":["type"],"type":"X"}}`, `{"s":{"type":"X"}}`},
		{"finalizers are a set", `{"finalizers":["a/b"]}`, `{"finalizers":["a/b","c/d"]}`,
			`{"finalizers":["a/b","c/d"]}`},
		{"a patch adds to a set", `{"finalizers":["a/b"]}`, `{"finalizers":["c/d"]}`,
			`{"finalizers":["a/b","c/d"]}`},
		{"$deleteFromPrimitiveList takes out of a set", `{"finalizers":["a/b","c/d"]}`,
			`{"$deleteFromPrimitiveList/finalizers":["a/b"]}`, `{"finalizers":["c/d"]}`},
		{"$setElementOrder puts a merged list in order", `{"containers":[{"name":"a"}]}`,
			`{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],"containers":[{"name":"b"}]}`,
			`{"containers":[{"name":"b"},{"name":"a"}]}`},
		{"$setElementOrder orders a list that is not merged", `{"env":[{"name":"a"},{"name":"b"}]}`,
			`{"$setElementOrder/env":[{"name":"b"},{"name":"a"}]}`, `{"env":[{"name":"b"},{"name":"a"}]}`},
		{"elements that $setElementOrder does not name stay before their successor",
			`{"env":[{"name":"x"},{"name":"a"},{"name":"y"},{"name":"b"},{"name":"z"}]}`,
			`{"$setElementOrder/env":[{"name":"c"},{"name":"a"},{"name":"b"}],"env":[{"name":"c"}]}`,
			`{"env":[{"name":"c"},{"name":"x"},{"name":"a"},{"name":"y"},{"name":"b"},{"name":"z"}]}`},
		{"$setElementOrder orders a set", `{"finalizers":["a/b","c/d"]}`,
			`{"$setElementOrder/finalizers":["e/f","c/d"],"$deleteFromPrimitiveList/finalizers":["a/b"],` +
				`"finalizers":["e/f"]}`, `{"finalizers":["e/f","c/d"]}`},
		{"deleted elements need no place", `{"env":[{"name":"a"},{"name":"b"},{"name":"c"}]}`,
			`{"$setElementOrder/env":[{"name":"c"},{"name":"b"}],"env":[{"$patch":"delete","name":"a"}]}`,
			`{"env":[{"name":"c"},{"name":"b"}]}`},
		{"$setElementOrder makes no list", `{}`, `{"$setElementOrder/env":[{"name":"a"}]}`, `{}`},
		{"a number is no element with that key", `{"env":[5]}`,
			`{"$setElementOrder/env":[{"name":5}],"env":[{"name":5}]}`, `{"env":[{"name":5},5]}`},
		{"container ports have a key of their own", `{"ports":[{"containerPort":80,"name":"x"}]}`,
			`{"ports":[{"containerPort":80,"protocol":"TCP"}]}`,
			`{"ports":[{"containerPort":80,"name":"x","protocol":"TCP"}]}`},
		{"service ports have another key", `{"ports":[{"name":"x","port":80}]}`,
			`{"ports":[{"port":80,"protocol":"TCP"},{"port":81}]}`,
			`{"ports":[{"name":"x","port":80,"protocol":"TCP"},{"port":81}]}`},
		{"of elements with the same key, the first is merged",
			`{"containers":[{"name":"a"},{"name":"a","tty":true}]}`,
			`{"containers":[{"name":"a","image":"x"}]}`,
			`{"containers":[{"image":"x","name":"a"},{"name":"a","tty":true}]}`},
		{"of elements with the same key, all are deleted", `{"containers":[{"name":"a"},{"name":"b"},{"name":"a","tty":true}]}`,
			`{"containers":[{"$patch":"delete","name":"a"}]}`, `{"containers":[{"name":"b"}]}`},
		{"an element that a patch names twice is added once", `{}`,
			`{"containers":[{"name":"a","image":"x"},{"name":"a","tty":true}]}`,
			`{"containers":[{"image":"x","name":"a","tty":true}]}`},
		{"what is deleted is gone before the rest is merged", `{"containers":[{"name":"a","tty":true}]}`,
			`{"containers":[{"name":"a","image":"x"},{"$patch":"delete","name":"a"}]}`,
			`{"containers":[{"image":"x","name":"a"}]}`},
		{"a key can be anything", `{"env":[{"name":["x"]},{"name":{"y":1}},{"name":"[\"x\"]"}]}`,
			`{"env":[{"name":{"y":1},"b":2},{"name":["x"],"b":1}]}`,
			`{"env":[{"b":1,"name":["x"]},{"b":2,"name":{"y":1}},{"name":"[\"x\"]"}]}`},
		{"the number 1 and the text 1 are different keys", `{"ports":[{"port":1}]}`, `{"ports":[{"port":"1"}]}`,
			`{"ports":[{"port":1},{"port":"1"}]}`},
		{"what is not an object stays as it is", `{"env":[5,{"name":"a"},{"x":1}]}`,
			`{"env":[{"name":"a","b":1}]}`, `{"env":[5,{"b":1,"name":"a"},{"x":1}]}`},
		{"elements of a set can be anything", `{"finalizers":["a",["x"]]}`,
			`{"finalizers":[["x"],{"y":1},{"y":1}],"$deleteFromPrimitiveList/finalizers":["a"]}`,
			`{"finalizers":[["x"],{"y":1}]}`},
		{"a missing object is created, without the nulls of the patch", `{}`, `{"a":{"b":null,"c":1}}`, `{"a":{"c":1}}`},
	} {
		got, err := Strategic(valueOf(t, c.doc).(object), valueOf(t, c.patch).(object))
		require.NoError(t, err, c.law)
		assert.Equal(t, c.want, jsonOf(t, got), c.law)
	}
}

func TestStrategicMergePatchesThatAreRefused(t *testing.T) {
	for patch, want := range map[string]string{
		`{"a":{"$patch":"frob"}}`: `invalid value in $patch: "frob"`,
		`{"containers":[{"image":"x"}]}`: `map: map[image:x] does not contain declared merge ` +
			`key: name`,
		`{"$setElementOrder/env":[{"name":"b"}],"env":[{"name":"a"}]}`: "The order in patch list:\n" +
			"[map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:b]]\n",
		`{"$setElementOrder/env":[{"name":"b"},{"name":"a"}],"env":[{"name":"a"},{"name":"b"}]}`: "The " +
			"order in patch list:\n[map[name:a] map[name:b]]\n doesn't match $setElementOrder list:\n" +
			"[map[name:b] map[name:a]]\n",
		`{"$setElementOrder/env":5}`: "$setElementOrder/env is not a list",
		`{"containers":[5]}`:         `map: 5 does not contain declared merge key: name`,
	} {
		_, err := Strategic(object{}, valueOf(t, patch).(object))
		assert.EqualError(t, err, want, patch)
	}
}
