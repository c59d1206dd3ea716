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
		{"a list with a key is merged by it",
			`{"containers":[{"image":"x","name":"a"},{"name":"b"}]}`,
			`{"containers":[{"name":"a","tty":true},{"name":"c"}]}`,
			`{"containers":[{"image":"x","name":"a","tty":true},{"name":"b"},{"name":"c"}]}`},
		{"an element is deleted", `{"containers":[{"name":"a"},{"name":"b"}]}`,
			`{"containers":[{"$patch":"delete","name":"a"}]}`, `{"containers":[{"name":"b"}]}`},
		{"what is not there is deleted already", `{"containers":[{"name":"b"}]}`,
			`{"containers":[{"$patch":"delete","name":"a"}]}`, `{"containers":[{"name":"b"}]}`},
		{"a merged list is replaced on demand", `{"containers":[{"name":"a"}]}`,
			`{"containers":[{"$patch":"replace"},{"name":"c"}]}`, `{"containers":[{"name":"c"}]}`},
		{"an object is replaced on demand", `{"a":{"b":1}}`, `{"a":{"$patch":"replace","c":2}}`,
			`{"a":{"c":2}}`},
		{"an object is emptied on demand", `{"a":{"b":1}}`, `{"a":{"$patch":"delete"}}`, `{"a":{}}`},
		{"only what is listed is kept", `{"s":{"type":"R","rolling":{}}}`,
			`{"s":{"$retainKeys":["type"],"type":"X"}}`, `{"s":{"type":"X"}}`},
		{"finalizers are a set", `{"finalizers":["a/b"]}`, `{"finalizers":["a/b","c/d"]}`,
			`{"finalizers":["a/b","c/d"]}`},
		{"to which one is added", `{"finalizers":["a/b"]}`, `{"finalizers":["c/d"]}`,
			`{"finalizers":["a/b","c/d"]}`},
		{"out of which one is taken", `{"finalizers":["a/b","c/d"]}`,
			`{"$deleteFromPrimitiveList/finalizers":["a/b"]}`, `{"finalizers":["c/d"]}`},
		{"the order of elements is only a hint", `{"containers":[{"name":"a"}]}`,
			`{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],"containers":[{"name":"b"}]}`,
			`{"containers":[{"name":"a"},{"name":"b"}]}`},
		{"container ports have a key of their own", `{"ports":[{"containerPort":80,"name":"x"}]}`,
			`{"ports":[{"containerPort":80,"protocol":"TCP"}]}`,
			`{"ports":[{"containerPort":80,"name":"x","protocol":"TCP"}]}`},
		{"and services' ports another", `{"ports":[{"name":"x","port":80}]}`,
			`{"ports":[{"port":80,"protocol":"TCP"},{"port":81}]}`,
			`{"ports":[{"name":"x","port":80,"protocol":"TCP"},{"port":81}]}`},
		{"into nothing", `{}`, `{"a":{"b":null,"c":1}}`, `{"a":{"c":1}}`},
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
		`{"containers":[5]}`: `map: 5 does not contain declared merge key: name`,
	} {
		_, err := Strategic(object{}, valueOf(t, patch).(object))
		assert.EqualError(t, err, want, patch)
	}
}
