package fakeapi

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// offered is what the server can answer with and takes in bodies.
var offered = []string{"application/json"}

// maxWishes is how many alternatives of an Accept header are looked at. The real
// clients have up to four.
const maxWishes = 64

// A wish is one alternative of an Accept header: a media type such as
// application/json;as=Table;v=v1;g=meta.k8s.io, and how much it is wanted.
type wish struct {
	kind, sub string // "application", "json"; "*" is any
	params    string // "as=Table;v=v1": a header may have a million, so there is no map of them
	quality   float64
}

// wishes are the alternatives of an Accept header, best first: by quality, then
// those without a wildcard first, then as they stand. A part that is no media
// type is passed over; those after maxWishes are not looked at.
func wishes(accept string) []wish {
	var all []wish
	for part := range strings.SplitSeq(accept, ",") {
		if len(all) == maxWishes {
			break
		}
		if w, ok := parseWish(part); ok {
			all = append(all, w)
		}
	}
	slices.SortStableFunc(all, func(a, b wish) int {
		return cmp.Or(cmp.Compare(b.quality, a.quality), cmp.Compare(a.wild(), b.wild()))
	})
	return all
}

// parseWish reads one alternative. It is as lenient as the real server: names
// are compared as they are written, quotes are part of a value, and a quality
// that is no number counts as none at all, which is last but not never.
func parseWish(part string) (w wish, ok bool) {
	media, params, _ := strings.Cut(part, ";")
	media = strings.TrimSpace(media)
	if media == "*" {
		media = "*/*"
	}
	w = wish{quality: 1, params: params}
	if w.kind, w.sub, ok = strings.Cut(media, "/"); !ok || strings.Contains(w.sub, "/") {
		return w, false
	}
	if q, ok := w.param("q"); ok {
		w.quality, _ = strconv.ParseFloat(q, 64)
	}
	return w, true
}

// param is the value of a parameter: of several, the last.
func (w wish) param(name string) (value string, ok bool) {
	for param := range strings.SplitSeq(w.params, ";") {
		if k, v, _ := strings.Cut(param, "="); strings.TrimSpace(k) == name {
			value, ok = strings.TrimSpace(v), true
		}
	}
	return value, ok
}

// text is the value of a parameter, or "".
func (w wish) text(name string) string { value, _ := w.param(name); return value }

// wild is how many wildcards there are.
func (w wish) wild() int { return strings.Count(w.kind+"/"+w.sub, "*") }

// takesJSON says whether JSON is of the media type wished for.
func (w wish) takesJSON() bool { return w.takes("application", "json") }

func (w wish) takes(kind, sub string) bool {
	return (w.kind == kind || w.kind == "*") && (w.sub == sub || w.sub == "*")
}

// isPlain says whether the object is wanted as it is, in no other form.
func (w wish) isPlain() bool { return w.text("as")+w.text("g")+w.text("v") == "" }

// negotiate chooses the form for an Accept header: the best of the client's
// alternatives that the server has. Protobuf, CBOR and forms that do not exist
// are passed over for the JSON that clients put behind them; ok is false if
// nothing is left. It depends on nothing but its argument.
func negotiate(accept string) (f form, ok bool) {
	if accept == "" {
		return form{}, true
	}
	for _, w := range wishes(accept) {
		if f, ok := w.form(); ok && w.takesJSON() {
			return f, true
		}
	}
	return form{}, false
}

// form is the form that a wish asks for.
func (w wish) form() (f form, ok bool) {
	if stream := w.text("stream"); stream != "" && stream != "watch" {
		return f, false
	}
	if w.isPlain() {
		return f, true
	}
	f.version = w.text("v")
	switch w.text("as") {
	case "Table":
		f.kind = asTable
	case "PartialObjectMetadata":
		f.kind = asMetadata
	case "PartialObjectMetadataList":
		f.kind = asMetadataList
	default:
		return f, false
	}
	return f, w.text("g") == metaGroup && (f.version == "v1" || f.version == "v1beta1")
}

// takesPlainJSON says whether an error can be told in the way the client asked
// for. Forms are for objects: a client that accepts nothing but a Table has left
// open how it wants to hear of errors.
func takesPlainJSON(accept string) bool {
	return accept == "" || slices.ContainsFunc(wishes(accept), func(w wish) bool {
		return w.takesJSON() && w.isPlain()
	})
}

// wantsIndent says whether the best alternative asks for indented JSON.
func wantsIndent(accept string) bool {
	all := wishes(accept)
	return len(all) > 0 && all[0].text("pretty") == "1"
}

// negotiate finds out, before anything else is done, in what form the answer has
// to be: a write must not happen whose answer the client would not understand.
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

// acceptOf is the request's Accept header. Several are one.
func acceptOf(r *http.Request) string { return strings.Join(r.Header.Values("Accept"), ",") }
