package fakeapi

import (
	"mime"
	"slices"
	"strconv"
	"strings"
)

// offered is what the server can answer with and takes in bodies.
var offered = []string{"application/json"}

// A wish is one alternative of an Accept header.
type wish struct {
	media   string
	params  map[string]string
	quality float64
}

// negotiate chooses the form for an Accept header: the best of the client's
// alternatives that the server has, by quality, then by order. Protobuf and
// other encodings are passed over for the JSON that clients put behind them; ok
// is false if there is none.
func negotiate(accept string) (f form, ok bool) {
	if strings.TrimSpace(accept) == "" {
		return form{}, true
	}
	for _, w := range wishes(accept) {
		if f, ok := w.form(); ok {
			return f, true
		}
	}
	return form{}, false
}

// wishes are the alternatives of an Accept header, best first.
func wishes(accept string) []wish {
	var all []wish
	for part := range strings.SplitSeq(accept, ",") {
		media, params, err := mime.ParseMediaType(strings.TrimSpace(part))
		if err != nil {
			continue
		}
		w := wish{media, params, 1}
		if q, has := params["q"]; has {
			w.quality, err = strconv.ParseFloat(q, 64)
			if err != nil || w.quality <= 0 {
				continue
			}
		}
		all = append(all, w)
	}
	slices.SortStableFunc(all, func(a, b wish) int {
		switch {
		case a.quality > b.quality:
			return -1
		case a.quality < b.quality:
			return 1
		}
		return 0
	})
	return all
}

// form is the form that a wish asks for.
func (w wish) form() (f form, ok bool) {
	switch w.media {
	case "application/json", "application/*", "*/*":
	default:
		return f, false
	}
	as := w.params["as"]
	if as == "" {
		return f, true
	}
	if w.params["g"] != "meta.k8s.io" || w.params["v"] != "v1" {
		return f, false
	}
	switch as {
	case "Table":
		f.kind = asTable
	case "PartialObjectMetadata", "PartialObjectMetadataList":
		f.kind = asMetadata
	default:
		return f, false
	}
	return f, true
}
