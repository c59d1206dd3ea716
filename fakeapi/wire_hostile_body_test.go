package fakeapi

import (
	"fmt"
	"strings"

	"example.com/watchglass/fakeapi/patch"
)

// very is the number in "very many".
const very = 10_000

func hostileBodies() []hostile {
	object := func(metadata string) string {
		return post(`{"apiVersion":"workshop.example.dev/v1","kind":"Widget","metadata":` + metadata + `}`)
	}
	spec := func(json string) string { return post(made("web-9", `,"spec":`+json)) }
	const tooLarge = "etcdserver: request is too large"
	return []hostile{
		{"no body", post(""), 400, "unexpected end of JSON input"},
		{"half an object", post(`{"apiVersion":`), 400, "the object provided is unrecognized"},
		{"two objects", post(`{"a":1}{"b":2}`), 400, "after top-level value"},
		{"an array", post("[]"), 400, "cannot unmarshal array"},
		{"null", post("null"), 400, "Object 'Kind' is missing in 'null'"},
		{"metadata that is null", object("null"), 422, "name or generateName is required"},
		{"metadata that is an array", object("[]"), 400, "cannot unmarshal array"},
		{"finalizers that are objects", object(`{"name":"web-9","finalizers":[{}]}`), 400, isBad},
		{"a number of 100,000 digits", spec(`{"n":` + repeat(100_000, "9") + `}`), 400, isBad},
		{"a number too large for an integer", spec(`{"n":99999999999999999999999999}`), 201, `"n":1e+26`},
		{"half a surrogate pair", spec(`{"color":"\ud800"}`), 201, "\"color\":\"\ufffd\""},
		{"a value that is no UTF-8", spec("{\"color\":\"\xff\"}"), 201, "\"color\":\"\ufffd\""},
		{"a name twice", object(`{"name":"web-8","name":"web-9"}`), 201, `"name":"web-9"`},
		{"9,998 levels", spec(nested(9_998)), 201, `{"a":{"a":`},
		{"10,001 levels", spec(nested(10_001)), 400, "exceeded max depth"},
		{"a name of a megabyte", post(fullWidget(repeat(1_000_000, "n"))), 422, "253 characters"},
		{"a long generateName is cut", object(`{"generateName":"` + repeat(200, "g") + `"}`),
			201, `"name":"` + repeat(58, "g")},
		{"very many finalizers", object(`{"name":"web-9","finalizers":[` + numbered(very, `"f%d"`) + `]}`),
			201, `"name":"web-9"`},
		{"very many empty owners", object(`{"name":"web-9","ownerReferences":[` +
			numbered(very/4, `{"kind":"%d"}`) + `]}`), 422, "metadata.ownerReferences[0].uid"},
		{"very many unknown fields", object(`{"name":"web-9",` + numbered(very, `"x%d":1`) + `}`), 201,
			`unknown field`},
		{"duplicate fields, deeply nested", spec(repeat(5_000, `{"a":`) + `{` +
			numbered(very/2, `"x%[1]d":1,"x%[1]d":1`) + `}` + repeat(5_000, "}")), 201, "duplicate field"},
		{"a million keys", spec(`{` + numbered(1_000_000, `"k%d":0`) + `}`), 413, "limit is 3145728"},
		{"an object of 1.4 MB", spec(`{"a":"` + repeat(1_400_000, "y") + `"}`), 201, `"a":"yyyy`},
		{"an object of 2 MB", spec(`{"a":"` + repeat(2_000_000, "x") + `"}`), 500, tooLarge},
		{"an object that grows when it is encoded", spec(`{"a":"` + repeat(600_000, "<") + `"}`), 500,
			tooLarge},
		{"a body of 4 MiB", post(repeat(4<<20, " ")), 413, "Request entity too large: limit is 3145728"},
		{"a malformed Content-Type", ask("POST", widgetsPath, fullWidget("web-9"), "Content-Type: ;;;"),
			415, "UnsupportedMediaType"},
	}
}

func hostilePatches() []hostile {
	as := func(kind, body string) string {
		return ask("PATCH", widgetsPath+"/web-1", body, "Content-Type: "+kind)
	}
	merge := func(body string) string { return as(patch.MediaMerge, body) }
	steps := func(steps ...string) string {
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
	for range 20 {
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
		{"another name", merge(`{"metadata":{"name":"web-9"}}`), 400, "does not match the name on the URL"},
		{"no kind", merge(`{"kind":null}`), 422, "Object 'Kind' is missing"},
		{"too many levels", merge(`{"spec":` + nested(20_000) + `}`), 400, "invalid JSON patch"},
		{"a type of patch that custom resources do not take", as(patch.MediaStrategic, "{}"), 415,
			"UnsupportedMediaType"},
		{"a JSON patch that is not a list", as(patch.MediaJSON, "{}"), 400, "error decoding patch"},
		{"the whole object replaced by null", steps(`{"op":"replace","path":"","value":null}`), 422,
			rejects},
		{"10,001 operations", steps(numbered(10_001, `{"op":"test","path":"/kind","value":%d}`)), 413,
			"The allowed maximum operations in a JSON patch is 10000, got 10001"},
		{"copies of copies", steps(copies...), 422, rejects},
		{"deeper and deeper", steps(deep, deeper), 422, rejects},
		{"180,000 levels, in small steps", steps(chains...), 422, rejects},
		{"a path of a megabyte", steps(`{"op":"add","path":"` + repeat(500_000, "/a") + `","value":1}`), 422,
			rejects},
	}
}

func hostileDeletions() []hostile {
	del := func(body string) string {
		return ask("DELETE", widgetsPath+"/web-1", body, "Content-Type: application/json")
	}
	return []hostile{
		{"options that are an array", del("[]"), 400, "cannot unmarshal array"},
		{"preconditions that are a number", del(`{"preconditions":5}`), 400, "cannot unmarshal number"},
		{"an unknown policy", del(`{"propagationPolicy":"Scatter"}`), 422, `\"Scatter\"`},
		{"a body of another type", del(`{"kind":"Foo","apiVersion":"v9"}`), 400, "no kind"},
		{"too many levels", del(nested(20_000)), 400, "exceeded max depth"},
		{"options of 4 MiB", del(repeat(4<<20, " ")), 413, "limit is 3145728"},
	}
}
