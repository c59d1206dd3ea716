package fakeapi

import (
	"crypto/sha512"
	"fmt"
	"net/http"
	"slices"
)

// Aggregated discovery is everything below /api or /apis in one document, so
// that a client needs two requests in place of one for every group and version.

const (
	discoveryGroup = "apidiscovery.k8s.io"
	aggregatedKind = "APIGroupDiscoveryList"
)

// negotiateDiscovery chooses a discovery document for an Accept header: version
// is that of apidiscovery.k8s.io, or empty for the plain documents, which are
// all that there is but at the roots. ok is false if nothing fits.
func negotiateDiscovery(accept string, isRoot bool) (version string, ok bool) {
	if accept == "" {
		return "", true
	}
	for _, w := range wishes(accept) {
		version := w.params["v"]
		aggregated := w.params["as"] == aggregatedKind && w.params["g"] == discoveryGroup &&
			(version == "v2" || version == "v2beta1")
		switch {
		case !w.takesJSON():
		case w.isPlain():
			return "", true
		case isRoot && aggregated:
			return version, true
		}
	}
	return "", false
}

// groupDiscovery is apidiscovery APIGroupDiscovery.
type groupDiscovery struct {
	Metadata struct {
		Name    string  `json:"name,omitempty"`
		Created *string `json:"creationTimestamp"` // always null
	} `json:"metadata"`
	Versions []versionDiscovery `json:"versions"`
}

// versionDiscovery is apidiscovery APIVersionDiscovery.
type versionDiscovery struct {
	Version   string              `json:"version"`
	Resources []resourceDiscovery `json:"resources"`
	Freshness string              `json:"freshness"`
}

// resourceDiscovery is apidiscovery APIResourceDiscovery.
type resourceDiscovery struct {
	Resource     string                 `json:"resource"`
	ResponseKind groupVersionKind       `json:"responseKind"`
	Scope        string                 `json:"scope"`
	Singular     string                 `json:"singularResource"`
	Verbs        []string               `json:"verbs"`
	ShortNames   []string               `json:"shortNames,omitempty"`
	Categories   []string               `json:"categories,omitempty"`
	Subresources []subresourceDiscovery `json:"subresources,omitempty"`
}

// subresourceDiscovery is apidiscovery APISubresourceDiscovery.
type subresourceDiscovery struct {
	Subresource  string           `json:"subresource"`
	ResponseKind groupVersionKind `json:"responseKind"`
	Verbs        []string         `json:"verbs"`
}

// groupVersionKind is meta/v1 GroupVersionKind.
type groupVersionKind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
}

func (r *Resource) gvk() groupVersionKind { return groupVersionKind{r.Group, r.Version, r.Kind} }

// aggregated is the document at a root, "api" or "apis".
func (s *Server) aggregated(root, version string) any {
	groups := []groupDiscovery{}
	for _, r := range s.resources() {
		if (r.Group == "") != (root == "api") {
			continue
		}
		i := slices.IndexFunc(groups, func(g groupDiscovery) bool { return g.Metadata.Name == r.Group })
		if i < 0 {
			i = len(groups)
			groups = append(groups, groupDiscovery{})
			groups[i].Metadata.Name = r.Group
		}
		groups[i].add(r)
	}
	for _, g := range groups {
		slices.SortFunc(g.Versions, func(a, b versionDiscovery) int {
			return compareVersions(a.Version, b.Version)
		})
	}
	return struct {
		Kind       string           `json:"kind"`
		APIVersion string           `json:"apiVersion"`
		Metadata   struct{}         `json:"metadata"`
		Items      []groupDiscovery `json:"items"`
	}{aggregatedKind, discoveryGroup + "/" + version, struct{}{}, groups}
}

// add adds a resource to its version.
func (g *groupDiscovery) add(r *Resource) {
	i := slices.IndexFunc(g.Versions, func(v versionDiscovery) bool { return v.Version == r.Version })
	if i < 0 {
		i = len(g.Versions)
		g.Versions = append(g.Versions, versionDiscovery{Version: r.Version, Freshness: "Current"})
	}
	g.Versions[i].Resources = append(g.Versions[i].Resources, r.aggregated())
}

func (r *Resource) aggregated() resourceDiscovery {
	kind := r.gvk()
	if r.Builtin() {
		kind.Group, kind.Version = "", "" // those of the group
	}
	d := resourceDiscovery{Resource: r.Plural, ResponseKind: kind, Scope: "Namespaced",
		Singular: r.singular(), Verbs: r.verbs(), ShortNames: r.ShortNames, Categories: r.Categories}
	if r.Cluster {
		d.Scope = "Cluster"
	}
	if r.Status {
		d.Subresources = []subresourceDiscovery{{"status", kind, statusVerbs}}
	}
	if r.Scale != nil {
		d.Subresources = append(d.Subresources,
			subresourceDiscovery{subScale, scaleKind, statusVerbs})
	}
	if r.isPod() {
		d.Subresources = append(d.Subresources,
			subresourceDiscovery{subEviction, evictionKind.gvk(), []string{verbCreate}})
	}
	return d
}

// answerTagged answers with a document that clients keep and ask for again: with
// a tag, and with nothing if the client has that already.
func (s *Server) answerTagged(w http.ResponseWriter, r *http.Request, doc []byte) {
	tag := `"` + hashOf(doc) + `"`
	w.Header().Set("Etag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	s.answer(w, r, http.StatusOK, doc)
}

// hashOf identifies a document.
func hashOf(doc []byte) string { return fmt.Sprintf("%X", sha512.Sum512(doc)) }
