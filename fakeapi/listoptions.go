package fakeapi

import (
	"net/url"
	"strconv"
	"time"
)

// listOptions are the query parameters of lists and watches, meta/v1
// ListOptions, decoded but not yet judged.
type listOptions struct {
	labels, fields  string
	limit           int64
	token           string // continue
	version         string // resourceVersion
	match           string // resourceVersionMatch
	timeout         time.Duration
	bookmarks       bool  // allowWatchBookmarks
	initial         *bool // sendInitialEvents; nil: not given
	labelSelection  labelSelector
	fieldsSelection fieldSelector
}

// parseListOptions decodes q. Of repeated parameters the first counts; unknown
// ones are ignored.
func parseListOptions(r *Resource, q url.Values) (o listOptions, status *Status) {
	o = listOptions{labels: q.Get("labelSelector"), fields: q.Get("fieldSelector"),
		token: q.Get("continue"), version: q.Get("resourceVersion"),
		match: q.Get("resourceVersionMatch")}
	var err error
	if o.limit, err = integerParam(q, "limit"); err != nil {
		return o, badRequest("%v", err)
	}
	seconds, err := integerParam(q, "timeoutSeconds")
	if err != nil {
		return o, badRequest("%v", err)
	}
	// A century will do: more would overflow a Duration and end at once.
	o.timeout = time.Duration(min(max(seconds, 0), 100*365*24*3600)) * time.Second
	o.bookmarks = q.Has("allowWatchBookmarks") && boolParam(q.Get("allowWatchBookmarks"))
	if q.Has("sendInitialEvents") {
		b := boolParam(q.Get("sendInitialEvents"))
		o.initial = &b
	}
	if o.labelSelection, err = parseLabels(o.labels); err != nil {
		return o, badRequest("unable to parse requirement: %v", err)
	}
	if o.fieldsSelection, err = parseFields(r, o.fields); err != nil {
		return o, badRequest("%v", err)
	}
	return o, nil
}

func integerParam(q url.Values, name string) (int64, error) {
	s := q.Get(name)
	if s == "" {
		return 0, nil
	}
	return strconv.ParseInt(s, 10, 64)
}

// boolParam: a boolean parameter is true unless it says that it is false.
func boolParam(s string) bool { return s != "false" && s != "0" }

// A readMode is which state of a collection a list shows.
type readMode int

const (
	readPresent  readMode = iota // the state after every acknowledged write
	readAtLeast                  // the present, once it has reached a version
	readExact                    // the state at a version
	readContinue                 // the state at a token's version, from its key on
)

func (m readMode) String() string {
	return [...]string{"present", "at least", "exact", "continue"}[m]
}

// A listPlan is what a list is going to do: the outcome of all the rules on
// resourceVersion, resourceVersionMatch, limit and continue.
type listPlan struct {
	mode    readMode
	version uint64 // for readAtLeast, readExact and readContinue
	start   string // key to start at
	limit   int64  // 0: no limit
}

const (
	matchExact   = "Exact"
	matchNoOlder = "NotOlderThan"
)

// planList applies the rules:
//
//	version  match         limit  →
//	""       –             any    present
//	0        – NotOlder    any    present; the limit is ignored
//	N        –             0      at least N
//	N        –             L      exactly N
//	N        NotOlderThan  any    at least N
//	N        Exact         any    exactly N
//	"" or 0  –             any    continue: the token's version
func planList(o *listOptions, prefix string) (listPlan, *Status) {
	p := listPlan{limit: max(0, o.limit)}
	if errs := validateList(o); len(errs) > 0 {
		return p, invalidOptions("ListOptions", errs...)
	}
	version, err := parseVersion(o.version)
	if err != nil {
		return p, badRequest("resourceVersion: Invalid value: %q: %v", o.version, err)
	}
	if o.version == "0" {
		p.limit = 0 // the real server answers from its cache, which has no pages
	}
	switch {
	case o.token != "":
		return planContinue(o, p, prefix)
	case version == 0:
		return p, nil
	case o.match == matchExact, o.match == "" && o.limit > 0:
		p.mode, p.version = readExact, version
	default:
		p.mode, p.version = readAtLeast, version
	}
	return p, nil
}

func planContinue(o *listOptions, p listPlan, prefix string) (listPlan, *Status) {
	if o.version != "" && o.version != "0" {
		return p, badRequest("specifying resource version is not allowed when using continue")
	}
	t, start, err := readToken(o.token, prefix)
	if err != nil {
		return p, badRequest("continue key is not valid: %v", err)
	}
	p.start = start
	if t.Version != anyVersion {
		p.mode, p.version = readContinue, uint64(t.Version)
	}
	return p, nil
}

// validateList is what is wrong with the combination of a list's parameters.
func validateList(o *listOptions) []fieldError {
	var errs []fieldError
	if o.initial != nil {
		errs = append(errs, forbiddenField("sendInitialEvents",
			"sendInitialEvents is forbidden for list"))
	}
	if o.match == "" {
		return errs
	}
	const field = "resourceVersionMatch"
	if o.token != "" {
		errs = append(errs, forbiddenField(field,
			"resourceVersionMatch is forbidden when continue is provided"))
	}
	if o.version == "" {
		errs = append(errs, forbiddenField(field,
			"resourceVersionMatch is forbidden unless resourceVersion is provided"))
	}
	switch {
	case o.match != matchExact && o.match != matchNoOlder:
		errs = append(errs, unsupportedField(field, o.match, matchExact, matchNoOlder, ""))
	case o.match == matchExact && o.version == "0":
		errs = append(errs, forbiddenField(field,
			`resourceVersionMatch "Exact" is forbidden for resourceVersion "0"`))
	}
	return errs
}

// validateWatch is what is wrong with the combination of a watch's parameters.
func validateWatch(o *listOptions) []fieldError {
	const field = "resourceVersionMatch"
	switch {
	case o.initial == nil && o.match == "":
		return nil
	case o.initial == nil:
		return []fieldError{forbiddenField(field,
			"resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided")}
	case o.match == "":
		return []fieldError{forbiddenField(field,
			"sendInitialEvents requires setting resourceVersionMatch to NotOlderThan")}
	case o.match != matchNoOlder:
		return []fieldError{unsupportedField(field, o.match, matchNoOlder)}
	}
	return nil
}

// parseVersion reads a resourceVersion. Empty is 0.
func parseVersion(s string) (uint64, error) {
	if s == "" {
		return 0, nil
	}
	return strconv.ParseUint(s, 10, 64)
}
