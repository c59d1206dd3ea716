package registry

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/status"
)

// A ListOptions has the query parameters of lists and watches, meta/v1 ListOptions: decoded, but
// not yet validated.
type ListOptions struct {
	limit     int64
	token     string // continue
	version   string // resourceVersion
	match     string // resourceVersionMatch
	timeout   time.Duration
	bookmarks bool  // allowWatchBookmarks
	initial   *bool // sendInitialEvents; nil: not given
	Labels    object.LabelSelector
	Fields    object.FieldSelector
}

// ParseListOptions decodes a query. Of repeated parameters the first counts; unknown ones are
// ignored.
func ParseListOptions(typ *object.Type, query url.Values) (ListOptions, error) {
	o := ListOptions{token: query.Get("continue"), version: query.Get("resourceVersion"),
		match: query.Get("resourceVersionMatch"), bookmarks: Flag(query, "allowWatchBookmarks")}
	if query.Has("sendInitialEvents") {
		o.initial = new(Flag(query, "sendInitialEvents"))
	}
	if err := o.parse(typ, query); err != nil {
		return o, status.BadRequest("%v", err)
	}
	return o, nil
}

// parse decodes the parameters that may be malformed.
func (o *ListOptions) parse(typ *object.Type, query url.Values) (err error) {
	if o.limit, err = integerParam(query, "limit"); err != nil {
		return err
	}
	seconds, err := integerParam(query, "timeoutSeconds")
	if err != nil {
		return err
	}
	// At most a century: more would overflow a Duration, and the watch would end immediately.
	o.timeout = time.Duration(min(max(seconds, 0), 100*365*24*3600)) * time.Second
	if o.Labels, err = object.ParseLabelSelector(query.Get("labelSelector")); err != nil {
		return err
	}
	o.Fields, err = object.ParseFieldSelector(query.Get("fieldSelector"), object.Selectable(typ))
	return err
}

func integerParam(query url.Values, name string) (int64, error) {
	if !query.Has(name) {
		return 0, nil
	}
	return strconv.ParseInt(query.Get(name), 10, 64)
}

// Flag decodes a boolean parameter: all values but "false" and "0" are true.
func Flag(query url.Values, name string) bool {
	return query.Has(name) && query.Get(name) != "false" && query.Get(name) != "0"
}

// A Plan says what a list reads: the outcome of all rules on resourceVersion,
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

// Plan says what a list reads. Keys with prefix are those of the collection: a continue token that
// names another key is refused.
//
//	version  match         limit  →
//	""       –             any    present
//	0        –             any    present; the limit is ignored
//	0        NotOlderThan  any    present; the limit is ignored
//	N        –             0      at least N
//	N        –             L      exactly N
//	N        NotOlderThan  any    at least N
//	N        Exact         any    exactly N
//
// A continue token goes with "" or 0 and no match. Then the version is the token's.
func (o *ListOptions) Plan(prefix string) (Plan, error) {
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

func planContinue(o *ListOptions, p Plan, prefix string) (Plan, error) {
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

// validateList returns a *status.Status with the errors in the combination of a list's parameters.
func validateList(o *ListOptions) error {
	var errs status.FieldErrors
	if o.match != "" {
		errs.ForbiddenIf(o.version == "", fieldMatch,
			"resourceVersionMatch is forbidden unless resourceVersion is provided")
		errs.ForbiddenIf(o.token != "", fieldMatch, notWithToken)
		if o.match != matchExact && o.match != matchNoOlder {
			errs.Unsupported(fieldMatch, o.match, matchExact, matchNoOlder, "")
		}
		errs.ForbiddenIf(o.match == matchExact && o.version == "0", fieldMatch,
			`resourceVersionMatch "exact" is forbidden for resourceVersion "0"`)
	}
	errs.ForbiddenIf(o.initial != nil, "sendInitialEvents", "sendInitialEvents is forbidden for list")
	return status.InvalidOptions(listKind, errs)
}

// WatchOptions say where a watch begins, and what it shows.
type WatchOptions struct {
	Version   uint64 // the version that the client has
	Initial   bool   // first the present state
	Marked    bool   // and a bookmark that says that it is complete
	Present   bool   // neither the state nor a version: events from now on
	Bookmarks bool
	Timeout   time.Duration // 0: the server's own
	Labels    object.LabelSelector
	Fields    object.FieldSelector
}

// ParseWatchOptions decodes a query. Without a version or from 0, and without sendInitialEvents and
// resourceVersionMatch, a watch is a streaming list.
func ParseWatchOptions(typ *object.Type, query url.Values) (w WatchOptions, err error) {
	o, err := ParseListOptions(typ, query)
	if err != nil {
		return w, err
	}
	if o.initial == nil && o.match == "" && (o.version == "" || o.version == "0") {
		o.initial, o.match = new(true), matchNoOlder
	}
	if err := validateWatch(&o); err != nil {
		return w, err
	}
	w = WatchOptions{Bookmarks: o.bookmarks, Timeout: o.timeout, Labels: o.Labels, Fields: o.Fields}
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
func validateWatch(o *ListOptions) error {
	var errs status.FieldErrors
	errs.ForbiddenIf(o.initial != nil && o.match != matchNoOlder, fieldMatch,
		"sendInitialEvents requires setting resourceVersionMatch to NotOlderThan")
	errs.ForbiddenIf(o.match != "" && o.initial == nil, fieldMatch,
		"resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided")
	if o.match != "" && o.match != matchNoOlder {
		errs.Unsupported(fieldMatch, o.match, matchNoOlder)
	}
	errs.ForbiddenIf(o.match != "" && o.token != "", fieldMatch, notWithToken)
	return status.InvalidOptions(listKind, errs)
}

// ParseVersion reads a resourceVersion. Empty is 0.
func ParseVersion(s string) (uint64, error) {
	return strconv.ParseUint(cmp.Or(s, "0"), 10, 64)
}

// A continueToken says where a list goes on. It is the content of the opaque string in
// metadata.continue, in the real server's own encoding, unpadded URL base64 of JSON.
// Start is the last key of the page before, relative to the selection's prefix, with
// a NUL added: the least key above it.
type continueToken struct {
	APIVersion string `json:"v"`
	Version    int64  `json:"rv"`    // of the first page; negative: the present one
	Start      string `json:"start"` // "/web-2\x00"
}

const tokenVersion = "meta.k8s.io/v1"

// anyVersion in a token: go on at the present state, even if that is not the
// one the list began with.
const anyVersion = -1

// continueAfter returns the token that goes on after a key. prefix is that of the
// selection: a namespaced list must not be continued in another namespace.
func continueAfter(version int64, prefix, key string) string {
	token := continueToken{tokenVersion, version, "/" + strings.TrimPrefix(key, prefix) + "\x00"}
	return base64.RawURLEncoding.EncodeToString(object.JSON(token))
}

// readToken decodes a continue parameter. start is the key at which the page begins.
func readToken(text, prefix string) (t continueToken, start string, err error) {
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return t, "", err
	}
	if err := json.Unmarshal(b, &t); err != nil {
		return t, "", err
	}
	switch {
	case t.APIVersion != tokenVersion:
		return t, "", fmt.Errorf("server does not recognize this encoded version %s", t.APIVersion)
	case t.Version == 0:
		return t, "", fmt.Errorf("incorrect encoded start resourceVersion (version %s)", tokenVersion)
	case t.Start == "":
		return t, "", fmt.Errorf("encoded start key empty (version %s)", tokenVersion)
	}
	// A client can forge a token: it must not lead out of the selection.
	key := "/" + strings.TrimPrefix(t.Start, "/")
	if path.Clean(key) != key {
		return t, "", errors.New(t.Start)
	}
	return t, prefix + key[1:], nil
}
