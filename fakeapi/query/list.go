package query

import (
	"net/url"
	"strconv"
	"time"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/selector"
	"example.com/watchglass/fakeapi/status"
)

// List are the query parameters of lists and watches, meta/v1
// ListOptions, decoded but not yet validated.
type List struct {
	limit     int64
	token     string // continue
	version   string // resourceVersion
	match     string // resourceVersionMatch
	timeout   time.Duration
	bookmarks bool  // allowWatchBookmarks
	initial   *bool // sendInitialEvents; nil: not given
	Labels    selector.Labels
	Fields    selector.Fields
}

// ParseList decodes q. Of repeated parameters the first counts; unknown
// ones are ignored.
func ParseList(typ *resource.Type, q url.Values) (List, error) {
	o := List{token: q.Get("continue"), version: q.Get("resourceVersion"),
		match: q.Get("resourceVersionMatch"), bookmarks: Flag(q, "allowWatchBookmarks")}
	if q.Has("sendInitialEvents") {
		o.initial = new(Flag(q, "sendInitialEvents"))
	}
	if err := o.parse(typ, q); err != nil {
		return o, status.BadRequest("%v", err)
	}
	return o, nil
}

// parse decodes the parameters that may be malformed.
func (o *List) parse(typ *resource.Type, q url.Values) (err error) {
	if o.limit, err = integerParam(q, "limit"); err != nil {
		return err
	}
	seconds, err := integerParam(q, "timeoutSeconds")
	if err != nil {
		return err
	}
	// At most a century: more would overflow a Duration, and the watch would end
	// immediately.
	o.timeout = time.Duration(min(max(seconds, 0), 100*365*24*3600)) * time.Second
	if o.Labels, err = selector.ParseLabels(q.Get("labelSelector")); err != nil {
		return err
	}
	o.Fields, err = selector.ParseFields(q.Get("fieldSelector"), object.Selectable(typ))
	return err
}

func integerParam(q url.Values, name string) (int64, error) {
	if !q.Has(name) {
		return 0, nil
	}
	n, err := strconv.ParseInt(q.Get(name), 10, 64)
	return n, shortened(err)
}

// shortened cuts the quoted number in an error of strconv.
func shortened(err error) error {
	if e, ok := err.(*strconv.NumError); ok {
		e.Num = status.Cut(e.Num, status.MaxShown)
	}
	return err
}

// Flag decodes a boolean parameter: all values but "false" and "0" are true.
func Flag(q url.Values, name string) bool {
	return q.Has(name) && q.Get(name) != "false" && q.Get(name) != "0"
}

// A Plan is what a list reads: the outcome of all rules on resourceVersion,
// resourceVersionMatch, limit and continue.
type Plan struct {
	Version uint64 // the state has at least this version; 0: any
	Past    bool   // it has exactly this version
	Start   string // key to start at, from a continue token; empty: at the first
	Limit   int64  // 0: no limit
}

const (
	matchExact   = "Exact"
	matchNoOlder = "NotOlderThan"
)

// Plan applies the rules on what a list reads. prefix is that of the selection:
//
//	version  match         limit  →
//	""       –             any    present
//	0        – NotOlder    any    present; the limit is ignored
//	N        –             0      at least N
//	N        –             L      exactly N
//	N        NotOlderThan  any    at least N
//	N        Exact         any    exactly N
//	"" or 0  –             any    continue: the token's version
func (o *List) Plan(prefix string) (Plan, error) {
	p := Plan{Limit: max(0, o.limit)}
	if err := validateList(o); err != nil {
		return p, err
	}
	if o.version == "0" {
		p.Limit = 0 // the real server answers from its cache, which has no pages
	}
	if o.token != "" {
		return planContinue(o, p, prefix)
	}
	version, err := ParseVersion(o.version)
	switch {
	case err != nil:
		return p, status.BadRequest("invalid resource version: resourceVersion: Invalid value: %s: %v",
			status.Show(o.version), err)
	case version == 0:
		return p, nil
	case o.match == matchExact, o.match == "" && o.limit > 0:
		p.Past, p.Version = true, version
	default:
		p.Version = version
	}
	return p, nil
}

func planContinue(o *List, p Plan, prefix string) (Plan, error) {
	t, start, err := readToken(o.token, prefix)
	if err != nil {
		return p, status.BadRequest("invalid continue token: continue key is not valid: %v", err)
	}
	if o.version != "" && o.version != "0" {
		return p, status.BadRequest("specifying resource version is not allowed when using continue")
	}
	p.Start = start
	if t.Version > 0 {
		p.Past, p.Version = true, uint64(t.Version)
	}
	return p, nil
}

const (
	listKind     = "ListOptions"
	fieldMatch   = "resourceVersionMatch"
	notWithToken = "resourceVersionMatch is forbidden when continue is provided"
)

// validateList returns a *status.Status with the errors in the combination of a list's
// parameters.
func validateList(o *List) error {
	var errs status.FieldErrors
	forbid := func(when bool, field, why string) {
		if when {
			errs.Forbidden(field, why)
		}
	}
	if o.match != "" {
		forbid(o.version == "", fieldMatch,
			"resourceVersionMatch is forbidden unless resourceVersion is provided")
		forbid(o.token != "", fieldMatch, notWithToken)
		if o.match != matchExact && o.match != matchNoOlder {
			errs.Unsupported(fieldMatch, o.match, matchExact, matchNoOlder, "")
		}
		forbid(o.match == matchExact && o.version == "0", fieldMatch,
			`resourceVersionMatch "exact" is forbidden for resourceVersion "0"`)
	}
	forbid(o.initial != nil, "sendInitialEvents", "sendInitialEvents is forbidden for list")
	return status.InvalidOptions(listKind, errs)
}

// Watch say where a watch begins, and what it shows.
type Watch struct {
	Version   uint64 // the version that the client has
	Initial   bool   // first the present state
	Marked    bool   // and a bookmark that says that it is complete
	Present   bool   // neither the state nor a version: events from now on
	Bookmarks bool
	Timeout   time.Duration // 0: the server's own
	Labels    selector.Labels
	Fields    selector.Fields
}

// ParseWatch decodes q. Without a version or from 0, and without sendInitialEvents and
// resourceVersionMatch, a watch is a streaming list.
func ParseWatch(typ *resource.Type, q url.Values) (w Watch, err error) {
	o, err := ParseList(typ, q)
	if err != nil {
		return w, err
	}
	if o.initial == nil && o.match == "" && (o.version == "" || o.version == "0") {
		o.initial, o.match = new(true), matchNoOlder
	}
	if err := validateWatch(&o); err != nil {
		return w, err
	}
	w = Watch{Bookmarks: o.bookmarks, Timeout: o.timeout, Labels: o.Labels, Fields: o.Fields}
	if w.Version, err = ParseVersion(o.version); err != nil {
		return w, status.InternalError("resourceVersion: Invalid value: %s: %v",
			status.Show(o.version), err)
	}
	w.Initial = w.Version == 0
	if o.initial != nil {
		w.Initial, w.Marked = *o.initial, *o.initial && o.bookmarks
	}
	w.Present = !w.Initial && w.Version == 0
	return w, nil
}

// validateWatch returns a *status.Status with the errors in the combination of a watch's
// parameters.
func validateWatch(o *List) error {
	var errs status.FieldErrors
	if o.initial != nil && o.match != matchNoOlder {
		errs.Forbidden(fieldMatch,
			"sendInitialEvents requires setting resourceVersionMatch to NotOlderThan")
	}
	if o.match != "" && o.initial == nil {
		errs.Forbidden(fieldMatch,
			"resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided")
	}
	if o.match != "" && o.match != matchNoOlder {
		errs.Unsupported(fieldMatch, o.match, matchNoOlder)
	}
	if o.match != "" && o.token != "" {
		errs.Forbidden(fieldMatch, notWithToken)
	}
	return status.InvalidOptions(listKind, errs)
}

// ParseVersion reads a resourceVersion. Empty is 0.
func ParseVersion(s string) (uint64, error) {
	if s == "" {
		return 0, nil
	}
	version, err := strconv.ParseUint(s, 10, 64)
	return version, shortened(err)
}
