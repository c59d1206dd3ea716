package wire

import (
	"mime"
	"net/http"
	"slices"
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

// Negotiate chooses the form for a request by its Accept header (RFC 9110, section 12.5.1): the
// first of the client's alternatives that the server has. It skips protobuf, CBOR and unknown
// forms, and takes the JSON that clients list after them; ok is false if nothing is left. It
// ignores qualities: the clients of this API list first what they want most.
func Negotiate(r *http.Request) (a Accepted, ok bool) {
	accept := strings.Join(r.Header.Values("Accept"), ",")
	for part := range strings.SplitSeq(accept[:min(len(accept), maxAccept)], ",") {
		media, params, err := mime.ParseMediaType(part)
		if err != nil || media != JSON && media != "application/*" && media != "*/*" {
			continue
		}
		a = Accepted{As: params["as"], Version: params["v"]}
		if a.As+a.Version+params["g"] == "" || slices.Contains(forms, a.As) &&
			params["g"] == metaGroup && (a.Version == "v1" || a.Version == "v1beta1") {
			return a, true
		}
	}
	return Accepted{}, accept == ""
}
