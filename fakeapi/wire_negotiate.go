package fakeapi

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// offered are the media types of the server's answers and of bodies.
var offered = []string{"application/json"}

// maxRanges is how many media ranges of an Accept header are read. Real clients send up
// to four.
const maxRanges = 64

// A mediaRange is one alternative of an Accept header (RFC 9110, section 12.5.1): a media
// type such as application/json;as=Table;v=v1;g=meta.k8s.io, and its quality.
type mediaRange struct {
	kind, sub string // "application", "json"; "*" is any
	params    string // "as=Table;v=v1": a header may have a million, so there is no map of them
	quality   float64
}

// mediaRanges are the alternatives of an Accept header, best first: by quality, then
// those without a wildcard first, then in the header's order. A part that is not a media
// type is skipped; those after maxRanges are not read.
func mediaRanges(accept string) []mediaRange {
	var all []mediaRange
	for part := range strings.SplitSeq(accept, ",") {
		if len(all) == maxRanges {
			break
		}
		if m, ok := parseRange(part); ok {
			all = append(all, m)
		}
	}
	slices.SortStableFunc(all, func(a, b mediaRange) int {
		return cmp.Or(cmp.Compare(b.quality, a.quality), cmp.Compare(a.wild(), b.wild()))
	})
	return all
}

// parseRange reads one alternative. It is as lenient as the real server: names are
// compared as they are written, quotes are part of a value, and a quality that is not a
// number counts as 0. A quality of 0 makes an alternative the last, but does not exclude
// it.
func parseRange(part string) (m mediaRange, ok bool) {
	media, params, _ := strings.Cut(part, ";")
	media = strings.TrimSpace(media)
	if media == "*" {
		media = "*/*"
	}
	m = mediaRange{quality: 1, params: params}
	if m.kind, m.sub, ok = strings.Cut(media, "/"); !ok || strings.Contains(m.sub, "/") {
		return m, false
	}
	if q, ok := m.param("q"); ok {
		m.quality, _ = strconv.ParseFloat(q, 64)
	}
	return m, true
}

// param is the value of a parameter: of several, the last.
func (m mediaRange) param(name string) (value string, ok bool) {
	for param := range strings.SplitSeq(m.params, ";") {
		if k, v, _ := strings.Cut(param, "="); strings.TrimSpace(k) == name {
			value, ok = strings.TrimSpace(v), true
		}
	}
	return value, ok
}

// text is the value of a parameter, or "".
func (m mediaRange) text(name string) string { value, _ := m.param(name); return value }

// wild is how many wildcards there are.
func (m mediaRange) wild() int { return strings.Count(m.kind+"/"+m.sub, "*") }

// takesJSON reports whether JSON matches the media range.
func (m mediaRange) takesJSON() bool { return m.takes("application", "json") }

func (m mediaRange) takes(kind, sub string) bool {
	return (m.kind == kind || m.kind == "*") && (m.sub == sub || m.sub == "*")
}

// isPlain reports whether the client wants the object itself, in no other form.
func (m mediaRange) isPlain() bool { return m.text("as")+m.text("g")+m.text("v") == "" }

// negotiate chooses the form for an Accept header: the best of the client's
// alternatives that the server has. It skips protobuf, CBOR and unknown forms, and takes
// the JSON that clients list after them; ok is false if nothing is left. The result
// depends only on the argument.
func negotiate(accept string) (f form, ok bool) {
	if accept == "" {
		return form{}, true
	}
	for _, m := range mediaRanges(accept) {
		if f, ok := m.form(); ok && m.takesJSON() {
			return f, true
		}
	}
	return form{}, false
}

// form is the form that a media range asks for; ok is false if there is no such form.
func (m mediaRange) form() (f form, ok bool) {
	if stream := m.text("stream"); stream != "" && stream != "watch" {
		return f, false
	}
	if m.isPlain() {
		return f, true
	}
	f.version = m.text("v")
	switch m.text("as") {
	case "Table":
		f.kind = asTable
	case "PartialObjectMetadata":
		f.kind = asMetadata
	case "PartialObjectMetadataList":
		f.kind = asMetadataList
	default:
		return f, false
	}
	return f, m.text("g") == metaGroup && (f.version == "v1" || f.version == "v1beta1")
}

// takesPlainJSON reports whether the client accepts plain JSON, the only form of a Status.
// Other forms are for objects: a client that accepts only a Table has not said in which
// form it wants errors.
func takesPlainJSON(accept string) bool {
	return accept == "" || slices.ContainsFunc(mediaRanges(accept), func(m mediaRange) bool {
		return m.takesJSON() && m.isPlain()
	})
}

// wantsIndent reports whether the best alternative asks for indented JSON.
func wantsIndent(accept string) bool {
	all := mediaRanges(accept)
	return len(all) > 0 && all[0].text("pretty") == "1"
}

// negotiate sets the form of the answer. It runs before anything else is done: the server
// must not make a write whose answer the client does not accept.
func (q *request) negotiate() error {
	f, ok := negotiate(acceptOf(q.http))
	if !ok {
		return notAcceptable(offered...)
	}
	if f.kind == asTable {
		f.include = q.query.Get("includeObject")
	}
	if f.kind == asObject && q.r().view != nil {
		f.kind, f.view = asView, q.r()
	}
	q.form = f
	if q.verb == verbWatch {
		return f.checkInclude()
	}
	return nil
}

// acceptOf is the request's Accept header. Several headers are joined.
func acceptOf(r *http.Request) string { return strings.Join(r.Header.Values("Accept"), ",") }
