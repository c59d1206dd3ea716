package wire

import (
	"cmp"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// maxAccept limits the bytes of an Accept header that are read. Real clients send up to 300.
const maxAccept = 1 << 10

// Accepted names the form in which a client wants objects. Zero means the object itself.
type Accepted struct {
	As      string // the kind: see forms
	Version string // of metaGroup: v1, or v1beta1 for old clients
}

// forms lists the kinds, all of metaGroup, in which a client may want objects.
var forms = []string{"Table", "PartialObjectMetadata", "PartialObjectMetadataList"}

const metaGroup = "meta.k8s.io"

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
func mediaRanges(accept string) (all []mediaRange) {
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
	return m.media == JSON || m.media == "application/*" || m.media == "*/*"
}

// isPlain reports whether the client wants the object itself, in no other form.
func (m mediaRange) isPlain() bool { return m.params["as"]+m.params["g"]+m.params["v"] == "" }

// accepted returns the form that a media range asks for; ok is false if there is no such form.
func (m mediaRange) accepted() (a Accepted, ok bool) {
	if stream := m.params["stream"]; stream != "" && stream != "watch" {
		return a, false
	}
	if m.isPlain() {
		return a, true
	}
	a = Accepted{As: m.params["as"], Version: m.params["v"]}
	return a, slices.Contains(forms, a.As) && m.params["g"] == metaGroup &&
		(a.Version == "v1" || a.Version == "v1beta1")
}

// Negotiate chooses the form for a request by its Accept header: the best of the client's
// alternatives that the server has. It skips protobuf, CBOR and unknown forms, and takes
// the JSON that clients list after them; ok is false if nothing is left.
func Negotiate(r *http.Request) (a Accepted, ok bool) {
	accept := acceptOf(r)
	if accept == "" {
		return Accepted{}, true
	}
	for _, m := range mediaRanges(accept) {
		if a, ok := m.accepted(); ok && m.takesJSON() {
			return a, true
		}
	}
	return Accepted{}, false
}

// TakesPlainJSON reports whether the client accepts plain JSON, the only form of a Status.
// Other forms are for objects: a client that accepts only a Table has not said in which
// form it wants errors.
func TakesPlainJSON(r *http.Request) bool {
	accept := acceptOf(r)
	return accept == "" || slices.ContainsFunc(mediaRanges(accept), func(m mediaRange) bool {
		return m.takesJSON() && m.isPlain()
	})
}

// acceptOf returns the request's Accept header. Several headers are joined.
func acceptOf(r *http.Request) string { return strings.Join(r.Header.Values("Accept"), ",") }
