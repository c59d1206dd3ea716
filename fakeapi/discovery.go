package fakeapi

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
)

// health answers the paths that need no token: probes, and nothing else.
func (s *Server) health(w http.ResponseWriter, r *http.Request, parts []string) bool {
	switch parts[0] {
	case "healthz", "livez", "readyz":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_, _ = io.WriteString(w, "ok")
		return true
	}
	return false
}

// discover answers the paths by which a client finds out what the server has. It
// is false for all others.
func (s *Server) discover(w http.ResponseWriter, r *http.Request, parts []string) bool {
	doc := s.document(parts)
	if doc == nil {
		return false
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		s.fail(w, r, methodNotAllowed())
		return true
	}
	b, err := json.Marshal(doc)
	if err != nil {
		panic(err) // built from strings
	}
	s.answer(w, r, http.StatusOK, b)
	return true
}

// document is the discovery document at a path, nil if there is none.
func (s *Server) document(parts []string) any {
	switch path := strings.Join(parts, "/"); {
	case path == "version":
		return versionInfo
	case path == "api":
		return apiVersions()
	case path == "apis":
		return s.groupList()
	case len(parts) == 2 && parts[0] == "api":
		return s.resourceList("", parts[1])
	case len(parts) == 2 && parts[0] == "apis":
		return s.group(parts[1])
	case len(parts) == 3 && parts[0] == "apis":
		return s.resourceList(parts[1], parts[2])
	}
	return nil
}

// versionInfo is what /version says. The Kubernetes release is the one whose
// behaviour this package follows.
var versionInfo = map[string]string{
	"major": "1", "minor": "36", "gitVersion": "v1.36.3", "gitCommit": "", "gitTreeState": "",
	"buildDate": "1970-01-01T00:00:00Z", "goVersion": "", "compiler": "gc", "platform": "",
}

// A groupVersion is one version of a group, as discovery lists it.
type groupVersion struct {
	GroupVersion string `json:"groupVersion"`
	Version      string `json:"version"`
}

// An apiGroup is meta/v1 APIGroup.
type apiGroup struct {
	Kind       string         `json:"kind,omitempty"`
	APIVersion string         `json:"apiVersion,omitempty"`
	Name       string         `json:"name"`
	Versions   []groupVersion `json:"versions"`
	Preferred  groupVersion   `json:"preferredVersion"`
}

// An apiResource is meta/v1 APIResource.
type apiResource struct {
	Name       string   `json:"name"`
	Singular   string   `json:"singularName"`
	Namespaced bool     `json:"namespaced"`
	Kind       string   `json:"kind"`
	Verbs      []string `json:"verbs"`
	ShortNames []string `json:"shortNames,omitempty"`
	Categories []string `json:"categories,omitempty"`
}

func apiVersions() any {
	return map[string]any{"kind": "APIVersions", "versions": []string{"v1"},
		"serverAddressByClientCIDRs": []any{}}
}

// resources are the server's resources in order of registration.
func (s *Server) resources() []*Resource {
	out := make([]*Resource, len(s.opts.Resources))
	for i := range s.opts.Resources {
		out[i] = &s.opts.Resources[i]
	}
	return out
}

// groups are all groups but core, in order of registration.
func (s *Server) groups() []apiGroup {
	groups := []apiGroup{}
	for _, r := range s.resources() {
		if r.Group == "" {
			continue
		}
		i := slices.IndexFunc(groups, func(g apiGroup) bool { return g.Name == r.Group })
		gv := groupVersion{r.APIVersion(), r.Version}
		switch {
		case i < 0:
			groups = append(groups, apiGroup{Name: r.Group, Versions: []groupVersion{gv}, Preferred: gv})
		case !slices.Contains(groups[i].Versions, gv):
			groups[i].Versions = append(groups[i].Versions, gv)
		}
	}
	return groups
}

func (s *Server) groupList() any {
	return map[string]any{"kind": "APIGroupList", "apiVersion": "v1", "groups": s.groups()}
}

func (s *Server) group(name string) any {
	for _, g := range s.groups() {
		if g.Name == name {
			g.Kind, g.APIVersion = "APIGroup", "v1"
			return g
		}
	}
	return nil
}

func (s *Server) resourceList(group, version string) any {
	list := []apiResource{}
	for _, r := range s.resources() {
		if r.Group == group && r.Version == version {
			list = append(list, r.discovery()...)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return map[string]any{"kind": "APIResourceList", "apiVersion": "v1",
		"groupVersion": qualifyVersion(group, version), "resources": list}
}

func qualifyVersion(group, version string) string {
	return (&Resource{Group: group, Version: version}).APIVersion()
}

// discovery is the resource, and its status if that is a subresource.
func (r *Resource) discovery() []apiResource {
	list := []apiResource{{Name: r.Plural, Singular: r.singular(), Namespaced: !r.Cluster,
		Kind: r.Kind, ShortNames: r.ShortNames, Categories: r.Categories,
		Verbs: []string{verbCreate, verbDelete, verbDeleteCollection, verbGet, verbList,
			verbPatch, verbUpdate, verbWatch}}}
	if r.Status {
		list = append(list, apiResource{Name: r.Plural + "/status", Namespaced: !r.Cluster,
			Kind: r.Kind, Verbs: []string{verbGet, verbPatch, verbUpdate}})
	}
	return list
}
