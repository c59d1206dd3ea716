package verify

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const (
	curls  = "curl prints what the page shows"
	widget = `{"apiVersion":"workshop.example.dev/v1","kind":"Widget",` +
		`"metadata":{"name":"web-1"},"spec":{"color":"red"}}`
	widgets = "http://127.0.0.1:8001/apis/workshop.example.dev/v1/namespaces/default/widgets"
	create  = "$ curl -s '" + widgets + "' \\\n" +
		`  --json '` + widget + "'" + "\n"
	get     = "$ curl " + widgets + "/web-1\n"
	created = `{
  "apiVersion": "workshop.example.dev/v1",
  "kind": "Widget",
  "metadata": {
    "creationTimestamp": "2000-01-01T00:00:00Z",
    "generation": 1,
    "name": "web-1",
    "namespace": "default",
    "resourceVersion": "2",
    "uid": "…"
  },
  "spec": {
    "color": "red"
  }
}
`
)

func typing(lines string) map[string]string { return quoting("curl: a", lines) }

var curlBites = []bite{
	{curls, "an answer may be quoted in full", typing(create + created), nil},
	{curls, "an answer may be quoted with gaps",
		typing(create + "{\n…\n    \"resourceVersion\": …\n  …\n}\n"), nil},
	{curls, "a command may print nothing", typing("$ sleep 1\n"), nil},
	{curls, "a value that drifted is found", typing(create +
		strings.Replace(created, `"2"`, `"3"`, 1)),
		[]string{`docs/1.md:15: the command now prints "    \"resourceVersion\": \"2\"," here`}},
	{curls, "a line after a gap that drifted is found",
		typing(create + "{\n…\n  \"color\": \"red\"\n…\n"),
		[]string{"docs/1.md:9: the command does not print this line here"}},
	{curls, "a line left out without a gap is found",
		typing(create + strings.Replace(created, "    \"generation\": 1,\n", "", 1)),
		[]string{`docs/1.md:12: the command now prints "    \"generation\": 1," here`}},
	{curls, "an end left out without a gap is found", typing(create + "{\n"),
		[]string{"docs/1.md:8: the command prints more than this"}},
	{curls, "a line too many is found", typing(create + created + "and more\n"),
		[]string{"docs/1.md:22: the command does not print this line here"}},
	{curls, "blocks of one name share a server, others do not", map[string]string{"docs/1.md": "# One\n" +
		"<!-- curl: a -->\n```\n" + create + "…\n```\n<!-- curl: a -->\n```\n" + get + created +
		"```\n<!-- curl: b -->\n```\n" + get + "{\n…\n  \"kind\": \"Widget\",\n…\n```\n"},
		[]string{"docs/1.md:32: the command does not print this line here"}},

	{curls, "output without a command is found", typing("{}\n"),
		[]string{`docs/1.md:5: the block begins with "{}" instead of a command after "$ "`}},
	{curls, "an empty block is found", typing(""), []string{"docs/1.md:5: the block has no command"}},
	{curls, "other programs are not run", typing("$ rm -rf /\n"),
		[]string{`docs/1.md:5: "rm -rf /" cannot be run here: expected curl or sleep`}},
	{curls, "a flag that is not known is found", typing("$ curl -k http://127.0.0.1:8001/\n"),
		[]string{"docs/1.md:5: curl -k http://127.0.0.1:8001/: the flag -k is not known here; " +
			"known are -N -s -i -X -H -d --json --raw"}},
	{curls, "a flag without its value is found", typing("$ curl -X\n"),
		[]string{"docs/1.md:5: curl -X: the flag -X needs a value"}},
	{curls, "a header without a colon is found", typing("$ curl -H Accept http://127.0.0.1:8001/\n"),
		[]string{`docs/1.md:5: curl -H Accept http://127.0.0.1:8001/: -H "Accept" is not a header: ` +
			`expected name: value`}},
	{curls, "a command without a URL is found", typing("$ curl -s\n"),
		[]string{"docs/1.md:5: curl -s: there is no URL"}},
	{curls, "a URL without a host is found", typing("$ curl /healthz\n"),
		[]string{`docs/1.md:5: curl /healthz: "/healthz" is not a URL: expected one like ` +
			`http://127.0.0.1:8001/api/v1/pods`}},
	{curls, "a quote that does not end is found", typing("$ curl 'http://127.0.0.1:8001/\n"),
		[]string{"docs/1.md:5: curl 'http://127.0.0.1:8001/: the quote ' does not end"}},
	{curls, "sleep takes whole seconds", typing("$ sleep long\n"),
		[]string{"docs/1.md:5: sleep long: expected whole seconds"}},
}

// session is what a shell shows for these commands.
const session = `$ curl -sN --raw '` + widgets + `?watch=1&resourceVersion=1' &
$ curl -s '` + widgets + `' --json '` + widget + `'
{
…
}
119
{"type":"ADDED","object":{…"metadata":{"creationTimestamp":"2000-01-01T00:00:00Z",…}}
$ curl -s -X POST http://127.0.0.1:8001/fakeapi/compact
$ curl -siN '` + widgets + `?watch=1&resourceVersion=1'
HTTP/1.1 200 OK
…
Transfer-Encoding: chunked

{"type":"ERROR",…,"message":"too old resource version: 1 (2)","reason":"Expired","code":410}}
$ sleep 60
$ curl -N '` + widgets + `?watch=1&resourceVersion=2&allowWatchBookmarks=true' &
$ curl -N '` + widgets + `?watch=1'
{"type":"ADDED",…}
^C
$ curl -s -X POST http://127.0.0.1:8001/fakeapi/inject -d '{"kind":"none"}'
the kind "none" is not one of …
$ curl -s http://127.0.0.1:8001/api/v1/namespaces/default/configmaps \
  --json '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"other"}}'
…
$ sleep 60
{"type":"BOOKMARK",…"resourceVersion":"3"…}
`

func TestATerminalShowsWhatAShellShows(t *testing.T) {
	assert.Empty(t, checkCurls(repoWith(t, typing(session))))
}

func TestRewritingTypesTheCommandsAgain(t *testing.T) {
	page := "<!-- curl: a -->\n```\n" + create + "old\n```\n"
	repo := repoWith(t, map[string]string{"docs/1.md": page})
	assert.Equal(t, strings.Replace(page, "old\n", created, 1), repo.rewritten(repo.page("docs/1.md")))
}
