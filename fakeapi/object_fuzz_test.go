package fakeapi

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
	"example.com/watchglass/fakeapi/status"
)

// The fuzz targets check more than that nothing panics: each input must keep a promise.
// go test runs the seeds; go test -fuzz searches for more inputs.

// FuzzPatchBody: a bad patch is refused with a Status, any other makes an object. The
// fuzz targets of package patch check the object.
func FuzzPatchBody(f *testing.F) {
	for _, p := range []string{``, `{`, `null`, `[]`, `{"spec":null}`, `{"$patch":5}`, `[5]`,
		`{"containers":[5]}`, `{"a":1,"a":2}`, `{"a":1e999}`, `[{"op":"remove","path":"/x"}]`,
		`[{"op":"replace","path":"","value":5}]`, `[{"op":7}]`} {
		for kind := range byte(3) {
			f.Add(p, kind)
		}
	}
	f.Fuzz(func(t *testing.T, text string, kind byte) {
		media := []string{patch.MediaJSON, patch.MediaMerge, patch.MediaStrategic}[kind%3]
		p, err := parsePatch(media, []byte(text))
		if err != nil {
			assertRefusal(t, err, 400, 413)
			return
		}
		o, err := p.apply(object.Tree{"spec": object.Tree{"containers": []any{object.Tree{"name": "c"}}}})
		if err != nil {
			assertRefusal(t, err, 400, 413, 422)
			return
		}
		assert.NotNil(t, o)
	})
}

func assertRefusal(t *testing.T, err error, codes ...int) {
	t.Helper()
	s := status.Of(err)
	assert.Contains(t, codes, s.Code, "%v", err)
	assert.Equal(t, "Failure", s.Status)
	assert.True(t, json.Valid(s.Encode()), fmt.Sprint(s))
}
