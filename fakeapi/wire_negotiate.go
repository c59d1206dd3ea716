package fakeapi

import (
	"cmp"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
)

// offered are the media types of the server's answers and of bodies.
var offered = []string{"application/json"}

// maxAccept is how many bytes of an Accept header are read. Real clients send up to 300.
const maxAccept = 1 << 10

// A mediaRange is one alternative of an Accept header (RFC 9110, section 12.5.1): a media
// type such as application/json;as=Table;v=v1;g=meta.k8s.io, and its quality.
type mediaRange struct {
	media   string            // "application/json"; "*" is any
	params  map[string]string // "as": "Table"
	quality float64
}

// mediaRanges returns the alternatives of an Accept header, best first: by quality, then
// those without a wildcard first, then in the header's order. It skips what is not a media
// type. A quality that is not a number counts as 0; 0 makes an alternative the last, but
// does not exclude it.
func mediaRanges(accept string) []mediaRange {
	var all []mediaRange
	for part := range strings.SplitSeq(accept[:min(len(accept), maxAccept)], ",") {
		media, params, err := mime.ParseMediaType(part)
		if err != nil || !strings.Contains(media, "/") {
			continue
		}
		m := mediaRange{media: media, params: params, quality: 1}
		if q, ok := params["q"]; ok {
			m.quality, _ = strconv.ParseFloat(q, 64)
		}
		all = append(all, m)
	}
	slices.SortStableFunc(all, func(a, b mediaRange) int {
		return cmp.Or(cmp.Compare(b.quality, a.quality),
			cmp.Compare(strings.Count(a.media, "*"), strings.Count(b.media, "*")))
	})
	return all
}

// takesJSON reports whether JSON matches the media range.
func (m mediaRange) takesJSON() bool {
	return m.media == "application/json" || m.media == "application/*" || m.media == "*/*"
}

// isPlain reports whether the client wants the object itself, in no other form.
func (m mediaRange) isPlain() bool { return m.params["as"]+m.params["g"]+m.params["v"] == "" }

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

// form returns the form that a media range asks for; ok is false if there is no such form.
func (m mediaRange) form() (f form, ok bool) {
	if stream := m.params["stream"]; stream != "" && stream != "watch" {
		return f, false
	}
	if m.isPlain() {
		return f, true
	}
	f.version = m.params["v"]
	switch m.params["as"] {
	case "Table":
		f.kind = asTable
	case "PartialObjectMetadata":
		f.kind = asMetadata
	case "PartialObjectMetadataList":
		f.kind = asMetadataList
	default:
		return f, false
	}
	return f, m.params["g"] == metaGroup && (f.version == "v1" || f.version == "v1beta1")
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
	return len(all) > 0 && all[0].params["pretty"] == "1"
}

// negotiate sets the form of the answer. It runs before anything else is done: the server
// must not make a write whose answer the client does not accept.
func (q *request) negotiate() error {
	f, ok := negotiate(acceptOf(q.http))
	if !ok {
		return status.NotAcceptable()
	}
	if f.kind == asTable {
		f.include = q.query.Get("includeObject")
	}
	if f.kind == asObject && q.r().View != nil {
		f.kind, f.view = asView, q.r()
	}
	q.form = f
	if q.verb == resource.VerbWatch {
		return f.checkInclude()
	}
	return nil
}

// acceptOf returns the request's Accept header. Several headers are joined.
func acceptOf(r *http.Request) string { return strings.Join(r.Header.Values("Accept"), ",") }
