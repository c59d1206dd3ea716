package main

import (
	"fmt"
	"net/url"
	"strings"

	"example.com/watchglass/fakeapi"
)

// serverTrace returns what the fake API server is to call.
func (r *recorder) serverTrace() *fakeapi.Trace {
	return &fakeapi.Trace{
		Request: func(q fakeapi.Request) {
			key := ""
			if q.Name != "" {
				key = join(q.Namespace, q.Name)
			}
			r.report(apiServer, key, "%s", asked(q))
		},
		Committed: func(c fakeapi.Change) {
			verb := "is"
			if c.Type == "DELETED" {
				verb = "gone"
			}
			r.report(apiServer, join(c.Namespace, c.Name), "%s %s @%d", c.Name, verb, c.Version)
		},
		Sent: func(q fakeapi.Request, f fakeapi.FrameInfo) {
			switch {
			case f.Name != "":
				r.report(apiServer, join(q.Namespace, f.Name), "▸ %s@%d", f.Type, f.Version)
			case f.Version != 0:
				r.report(apiServer, "", "▸ %s@%d", f.Type, f.Version)
			default:
				r.alarm(apiServer, "", "▸ %s", f.Type)
			}
		},
		WatchEnded: func(_ fakeapi.Request, why fakeapi.EndReason) {
			r.report(apiServer, "", "%s", ending(why))
		},
		Fault: func(_ fakeapi.Request, f fakeapi.Fault) { r.alarm(apiServer, "", "fault: %s", f.Kind) },
	}
}

var methods = map[string]string{
	"create": "POST", "update": "PUT", "patch": "PATCH", "delete": "DELETE", "get": "GET",
}

// asked is a request in a few words.
func asked(q fakeapi.Request) string {
	if method, ok := methods[q.Verb]; ok && q.Name != "" {
		return method + " " + q.Name
	} else if ok {
		return method + " " + q.Resource
	}
	query, _ := url.ParseQuery(q.Query)
	if version := query.Get("resourceVersion"); version != "" {
		return "GET " + q.Verb + " rv=" + version
	}
	return "GET " + q.Verb
}

// ending is why a watch ended, in a few words.
func ending(why fakeapi.EndReason) string {
	if why == fakeapi.EndClient {
		return "client left"
	}
	return "watch " + string(why)
}

func join(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

func plural(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "ch"):
		return fmt.Sprintf("%d %ses", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
