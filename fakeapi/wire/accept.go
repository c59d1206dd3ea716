package wire

import (
	"mime"
	"net/http"
	"slices"
	"strings"
)

// maxAccept limits the bytes of an Accept header that are read. Real clients send up to 300.
const maxAccept = 1 << 10

// forms lists the kinds, all of meta.k8s.io/v1, in which a client may want objects.
var forms = []string{"Table", "PartialObjectMetadata", "PartialObjectMetadataList"}

// Negotiate chooses the form for a request by its Accept header (RFC 9110, section 12.5.1): the
// first of the client's alternatives that the server has, empty for the object itself. It skips
// protobuf, CBOR and unknown forms, and takes the JSON that clients list after them; ok is false if
// nothing is left. It ignores qualities: the clients of this API list first what they want most.
func Negotiate(r *http.Request) (as string, ok bool) {
	accept := strings.Join(r.Header.Values("Accept"), ",")
	for part := range strings.SplitSeq(accept[:min(len(accept), maxAccept)], ",") {
		media, params, err := mime.ParseMediaType(part)
		if err != nil || media != JSON && media != "application/*" && media != "*/*" {
			continue
		}
		as := params["as"]
		if as+params["v"]+params["g"] == "" || slices.Contains(forms, as) &&
			params["g"] == "meta.k8s.io" && params["v"] == "v1" {
			return as, true
		}
	}
	return "", accept == ""
}
