package fakeapi

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/fakeapi/patch"
)

// very is the number in "very many".
const very = 10_000

func hostileBodies() []hostile {
	object := func(metadata string) string {
		return post(`{"apiVersion":"workshop.example.dev/v1","kind":"Widget","metadata":` +
			metadata + `}`)
	}
	spec := func(json string) string { return post(made("web-9", `,"spec":`+json)) }
	fields := func(n int, field string) string {
		return strings.TrimSuffix(repeat(n, field+","), ",")
	}
	const unrecognized = "the object provided is unrecognized (must be of type Widget)"
	return []hostile{
		{"no body", post(""), 400, "unexpected end of JSON input"},
		{"spaces", post("  "), 400, "unexpected end of JSON input"},
		{"half an object", post(`{"apiVersion":`), 400, unrecognized},
		{"two objects", post(`{"a":1}{"b":2}`), 400, "after top-level value"},
		{"an array", post("[]"), 400, "cannot unmarshal array"},
		{"a number", post("1"), 400, "cannot unmarshal number"},
		{"a string", post(`"x"`), 400, "cannot unmarshal string"},
		{"null", post("null"), 400, "Object 'Kind' is missing in 'null'"},
		{"an empty object", post("{}"), 400, "Object 'Kind' is missing"},
		{"a byte order mark", post("\ufeff{}"), 400, unrecognized},
		{"a kind that is a number",
			post(`{"kind":5,"apiVersion":"v1"}`), 400, "cannot unmarshal number"},
		{"metadata that is null", object("null"), 422, "name or generateName is required"},
		{"metadata that is an array", object("[]"), 400, "cannot unmarshal array"},
		{"metadata that is a number", object("5"), 400, "cannot unmarshal number"},
		{"a name that is a number", object(`{"name":5}`), 400, "cannot unmarshal number"},
		{"labels that are a string",
			object(`{"name":"web-9","labels":"x"}`), 400, "cannot unmarshal string"},
		{"finalizers that are objects",
			object(`{"name":"web-9","finalizers":[{}]}`), 400, "cannot unmarshal object"},
		{"a number too large for a float",
			spec(`{"n":1e999}`), 400, "cannot unmarshal number 1e999"},
		{"a number of 100,000 digits",
			spec(`{"n":` + strings.Repeat("9", 100_000) + `}`), 400, "cannot unmarshal number"},
		{"a number too large for an integer",
			spec(`{"n":99999999999999999999999999}`), 201, `"n":1e+26`},
		{"NaN", spec(`{"n":NaN}`), 400, "invalid character 'N'"},
		{"NUL in a string", spec(`{"color":"a\u0000b"}`), 201, `"color":"a\u0000b"`},
		{"half a surrogate pair", spec(`{"color":"\ud800"}`), 201, "\"color\":\"\ufffd\""},
		{"a value that is no UTF-8",
			spec("{\"color\":\"\xff\xfe\"}"), 201, "\"color\":\"\ufffd\ufffd\""},
		{"a name that is no UTF-8",
			object("{\"name\":\"w\xff\"}"), 422, "a lowercase RFC 1123 subdomain"},
		{"a name twice",
			object(`{"name":"web-8","name":"web-9"}`),
			201, `"name":"web-9"`},
		{"9,998 levels", spec(nested(9_998)), 201, `{"a":{"a":`},
		{"10,001 levels", spec(nested(10_001)), 400, "exceeded max depth"},
		{"400,000 levels", spec(nested(400_000)), 400, "exceeded max depth"},
		{"5,000 arrays", spec(`{"a":` + repeat(5000, "[") + repeat(5000, "]") + `}`), 201, "[[[["},
		{"a name of 300 bytes",
			post(made(repeat(300, "n"), "")), 422, "must be no more than 253 characters"},
		{"a name of a megabyte",
			post(made(repeat(1_000_000, "n"), "")), 422, "must be no more than 253 characters"},
		{"a name of 10 MB", post(made(repeat(10_000_000, "n"), "")), 413, "limit is 3145728"},
		{"a long generateName is cut", object(`{"generateName":"` + repeat(200, "g") + `"}`),
			201, `"name":"` + repeat(58, "g")},
		{"very many labels",
			object(`{"name":"web-9","labels":{` + numbered(very, `"l%d":"v"`) + `}}`),
			201, `"l9999":"v"`},
		{"very many invalid labels",
			object(`{"name":"web-9","labels":{` + numbered(very, `"-%d":"-"`) + `}}`),
			422, `Invalid value: \"-0\"`},
		{"very many invalid finalizers",
			object(`{"name":"web-9","finalizers":[` + fields(very, `"-"`) + `]}`),
			422, `Invalid value: \"-\"`},
		{"very many finalizers",
			object(`{"name":"web-9","finalizers":[` + numbered(very, `"f%d"`) + `]}`),
			201, `"name":"web-9"`},
		{"very many controllers",
			object(`{"name":"web-9","ownerReferences":[` + numbered(very/4,
				`{"apiVersion":"v1","kind":"A","name":"a","uid":"u%d","controller":true}`) + `]}`),
			422, "Only one reference can have Controller set to true"},
		{"very many empty owners",
			object(`{"name":"web-9","ownerReferences":[` + fields(very/4, `{}`) + `]}`),
			422, "metadata.ownerReferences[0].uid"},
		{"annotations of 300 KB",
			object(`{"name":"web-9","annotations":{"a":"` + repeat(300_000, "x") + `"}}`),
			422, "may not be more than 262144 bytes"},
		{"very many unknown fields",
			object(`{"name":"web-9",` + numbered(very, `"x%d":1`) + `}`), 201, `unknown field`},
		{"very many duplicate fields",
			spec(`{` + numbered(very, `"x%d":1`) + `,` + numbered(very, `"x%d":1`) + `}`),
			201, "duplicate field"},
		{"duplicate fields, deeply nested",
			spec(repeat(5_000, `{"a":`) + `{` + numbered(very/2, `"x%d":1`) + `,` + numbered(very/2,
				`"x%d":1`) + `}` + repeat(5_000, "}")),
			201, "duplicate field"},
		{"a million keys", spec(`{` + numberedKeys(1_000_000) + `}`), 413, "limit is 3145728"},
		{"very many keys", spec(`{` + numbered(very, `"%d":0`) + `}`), 201, `"9999":0`},
		{"an object of 1.4 MB", spec(`{"a":"` + repeat(1_400_000, "y") + `"}`), 201, `"a":"yyyy`},
		{"an object of 2 MB is too large for etcd", spec(`{"a":"` + repeat(2_000_000, "x") + `"}`),
			500, "etcdserver: request is too large"},
		{"an object that grows when it is encoded",
			spec(`{"a":"` + repeat(600_000, "<") + `"}`), 500, "etcdserver: request is too large"},
		{"a body of 4 MiB",
			post(repeat(4<<20, " ")), 413, "Request entity too large: limit is 3145728"},
		{"a Content-Encoding that the server does not decode",
			ask("POST", widgetsPath, "\x1f\x8b\x08\x00", "Content-Type: application/json",
				"Content-Encoding: gzip"),
			400, unrecognized},
		{"a malformed Content-Type", ask("POST", widgetsPath, made("web-9", ""), "Content-Type: ;;;"),
			415, "UnsupportedMediaType"},
		{"plain text", ask("POST", widgetsPath, made("web-9", ""), "Content-Type: text/plain"),
			415, "UnsupportedMediaType"},
	}
}

func hostilePatches() []hostile {
	as := func(kind, body string) string {
		return ask("PATCH", widgetsPath+"/web-1", body, "Content-Type: "+kind)
	}
	merge := func(body string) string { return as(patch.MediaMerge, body) }
	jsonPatch := func(steps ...string) string {
		return as(patch.MediaJSON, "["+strings.Join(steps, ",")+"]")
	}
	copies := []string{`{"op":"add","path":"/spec/a","value":"` + repeat(1000, "x") + `"}`}
	for i := range 40 {
		copies = append(copies, fmt.Sprintf(`{"op":"copy","from":"/spec","path":"/spec/c%d"}`, i))
	}
	deep := `{"op":"add","path":"/spec/deep","value":` + nested(6000) + `}`
	deeper := `{"op":"copy","from":"/spec/deep","path":"/spec/deep` + repeat(5999, "/a") + `"}`
	// Each chain of arrays is no deeper than a body may be, but the patch moves chains below chains.
	chain := repeat(9_000, "[") + repeat(9_000, "]")
	chains := []string{`{"op":"add","path":"/spec/a","value":` + chain + `}`}
	for range 60 {
		chains = append(chains, `{"op":"add","path":"/spec/b","value":`+chain+`}`,
			`{"op":"move","from":"/spec/a","path":"/spec/b`+repeat(9_000, "/0")+`"}`,
			`{"op":"move","from":"/spec/b","path":"/spec/a"}`)
	}
	chains = append(chains, `{"op":"copy","from":"/spec/a","path":"/spec/c"}`)
	const rejects = "the server rejected our request due to an error in our request"
	return []hostile{
		{"half a merge patch", merge("{"), 400, "invalid JSON patch"},
		{"an array", merge("[]"), 400, "error decoding patch"},
		{"null", merge("null"), 400, "Invalid JSON Patch"},
		{"no metadata", merge(`{"metadata":null}`), 400, "name must be provided"},
		{"another name",
			merge(`{"metadata":{"name":"web-9"}}`), 400, "does not match the name on the URL"},
		{"no kind", merge(`{"kind":null}`), 422, "Object 'Kind' is missing"},
		{"labels that are a string",
			merge(`{"metadata":{"labels":"x"}}`), 422, "cannot unmarshal string"},
		{"too many levels", merge(`{"spec":` + nested(20_000) + `}`), 400, "invalid JSON patch"},
		{"9,000 levels", merge(`{"spec":` + nested(9_000) + `}`), 200, `{"a":{"a":`},
		{"a patch of 4 MiB", merge(repeat(4<<20, " ")), 413, "limit is 3145728"},
		{"a type of patch that custom resources do not take",
			as(patch.MediaStrategic, "{}"), 415, "UnsupportedMediaType"},
		{"a JSON patch that is not a list", as(patch.MediaJSON, "{}"), 400, "error decoding patch"},
		{"an operation that is a number", jsonPatch("1"), 400, "error decoding patch"},
		{"an operation that is null", jsonPatch("null"), 422, rejects},
		{"an unknown operation",
			jsonPatch(`{"op":"explode","path":"/spec"}`), 422, rejects},
		{"a path without a slash", jsonPatch(`{"op":"add","path":"spec","value":1}`), 422, rejects},
		{"an index that is too large",
			jsonPatch(`{"op":"add","path":"/spec/a","value":[]}`,
				`{"op":"add","path":"/spec/a/1000000000","value":2}`),
			422, rejects},
		{"the whole object removed", jsonPatch(`{"op":"remove","path":""}`), 422, rejects},
		{"the whole object replaced by null",
			jsonPatch(`{"op":"replace","path":"","value":null}`), 422, rejects},
		{"a value moved into itself",
			jsonPatch(`{"op":"move","from":"/spec","path":"/spec/color"}`), 422, rejects},
		{"10,001 operations",
			jsonPatch(strings.TrimSuffix(repeat(10_001,
				`{"op":"test","path":"/kind","value":"Widget"},`), ",")),
			413, "The allowed maximum operations in a JSON patch is 10000, got 10001"},
		{"copies of copies", jsonPatch(copies...), 422, rejects},
		{"deeper and deeper", jsonPatch(deep, deeper), 422, rejects},
		{"half a million levels, in small steps", jsonPatch(chains...), 422, rejects},
		{"a path of a megabyte",
			jsonPatch(`{"op":"add","path":"` + repeat(500_000, "/a") + `","value":1}`),
			422, rejects},
	}
}

func hostileDeletions() []hostile {
	del := func(body string) string {
		return ask("DELETE", widgetsPath+"/web-1", body, "Content-Type: application/json")
	}
	return []hostile{
		{"options that are an array", del("[]"), 400, "cannot unmarshal array"},
		{"half an object", del("{"), 400, "unexpected end of JSON input"},
		{"a grace period in words",
			del(`{"gracePeriodSeconds":"x"}`), 400, "cannot unmarshal string"},
		{"a grace period that is too large",
			del(`{"gracePeriodSeconds":99999999999999999999}`), 400, "cannot unmarshal number"},
		{"preconditions that are a number",
			del(`{"preconditions":5}`), 400, "cannot unmarshal number"},
		{"a malformed version", del(`{"preconditions":{"resourceVersion":"abc"}}`),
			409, "does not match the ResourceVersion in record"},
		{"an unknown policy",
			del(`{"propagationPolicy":"Scatter"}`), 422, `Unsupported value: \"Scatter\"`},
		{"a body of another type", del(`{"kind":"Foo","apiVersion":"v9"}`), 400, "no kind"},
		{"too many levels", del(nested(20_000)), 400, "exceeded max depth"},
		{"options of 4 MiB", del(repeat(4<<20, " ")), 413, "limit is 3145728"},
		{"a collection with a malformed selector",
			ask("DELETE", widgetsPath+"?labelSelector=%21%21", ""), 400, isBad},
		{"a method override in a header is ignored",
			ask("POST", widgetsPath+"/web-1", "", "X-HTTP-Method-Override: DELETE"),
			400, "unexpected end of JSON input"},
	}
}

// TestAnAnswerHasAtMostAHundredErrors: otherwise the answer to a bad request could be a
// hundred times as long as the request.
func TestAnAnswerHasAtMostAHundredErrors(t *testing.T) {
	const head = `{"apiVersion":"workshop.example.dev/v1","kind":"Widget",` +
		`"metadata":{"name":"web-9",`
	unknown := head + numbered(500, `"x%d":1`) + `}}`
	labels := head + `"labels":{` + numbered(500, `"-%d":"-"`) + `}}}`
	for _, c := range []struct{ law, query, body, mistake string }{
		{"warnings", "", unknown, `Warning: 299 - "unknown field`},
		{"the error of a strict decoding", "?fieldValidation=Strict", unknown, "unknown field"},
		{"causes", "", labels, `"reason":"FieldValueInvalid"`},
	} {
		bubble(t, Options{}, func(t *testing.T, s *Server) {
			got := shout(t, s, 0, ask("POST", widgetsPath+c.query, c.body))
			assert.Equal(t, 100, strings.Count(got, c.mistake), c.law)
		})
	}
}

func repeat(n int, s string) string { return strings.Repeat(s, n) }

// numbered is n members separated by commas, each formatted with its number.
func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func numberedKeys(n int) string { return numbered(n, `"k%d":0`) }
