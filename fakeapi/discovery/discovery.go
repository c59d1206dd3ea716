package discovery

import (
	"slices"
	"strings"

	"example.com/watchglass/fakeapi/resource"
)

// Documents are the discovery documents about some types.
type Documents struct{ types []*resource.Type }

// Of returns the documents about types, in their order.
func Of(types []*resource.Type) Documents { return Documents{types} }

// Paths returns the paths of all groups and versions.
func (d Documents) Paths() []string {
	var paths []string
	for _, typ := range d.types {
		if typ.Group != "" {
			paths = append(paths, "/apis/"+typ.Group)
		}
		paths = append(paths, "/"+versionPath(typ))
	}
	return paths
}

// versionPath returns the path of the resource's group and version, without the slash
// that a path begins with.
func versionPath(typ *resource.Type) string {
	if typ.Group == "" {
		return "api/" + typ.Version
	}
	return "apis/" + typ.Group + "/" + typ.Version
}

// At returns the document at a path, whose parts are given; nil if there is none. host is the
// address by which the client has reached the server.
func (d Documents) At(parts []string, host string) any {
	switch path := strings.Join(parts, "/"); {
	case path == "version":
		return versionInfo
	case path == "api":
		return d.apiVersions(host)
	case path == "apis":
		return apiGroupList{"APIGroupList", "v1", d.groups()}
	case len(parts) == 2 && parts[0] == "api":
		return d.resourceList("", parts[1])
	case len(parts) == 2 && parts[0] == "apis" && parts[1] != "":
		return d.group(parts[1])
	case len(parts) == 3 && parts[0] == "apis" && parts[1] != "":
		return d.resourceList(parts[1], parts[2])
	}
	return nil
}

// release is the Kubernetes release whose behaviour this package follows.
const release = "v1.36.3"

// versionInfo is the answer to /version.
var versionInfo = struct {
	Major        string `json:"major"`
	Minor        string `json:"minor"`
	GitVersion   string `json:"gitVersion"`
	GitCommit    string `json:"gitCommit"`
	GitTreeState string `json:"gitTreeState"`
	BuildDate    string `json:"buildDate"`
	GoVersion    string `json:"goVersion"`
	Compiler     string `json:"compiler"`
	Platform     string `json:"platform"`
}{Major: "1", Minor: "36", GitVersion: release, BuildDate: "1970-01-01T00:00:00Z", Compiler: "gc"}

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

// An apiGroupList is meta/v1 APIGroupList.
type apiGroupList struct {
	Kind       string     `json:"kind"`
	APIVersion string     `json:"apiVersion"`
	Groups     []apiGroup `json:"groups"`
}

// An apiResource is meta/v1 APIResource.
type apiResource struct {
	Name       string   `json:"name"`
	Singular   string   `json:"singularName"`
	Namespaced bool     `json:"namespaced"`
	Group      string   `json:"group,omitempty"` // only if not that of the list
	Version    string   `json:"version,omitempty"`
	Kind       string   `json:"kind"`
	Verbs      []string `json:"verbs"`
	ShortNames []string `json:"shortNames,omitempty"`
	Categories []string `json:"categories,omitempty"`
}

// An apiResourceList is meta/v1 APIResourceList.
type apiResourceList struct {
	Kind         string        `json:"kind"`
	APIVersion   string        `json:"apiVersion"`
	GroupVersion string        `json:"groupVersion"`
	Resources    []apiResource `json:"resources"`
}

// A serverAddress says at which address clients of a network reach the server.
type serverAddress struct {
	ClientCIDR    string `json:"clientCIDR"`
	ServerAddress string `json:"serverAddress"`
}

// apiVersions returns meta/v1 APIVersions: the versions of the core group.
func (d Documents) apiVersions(host string) any {
	return struct {
		Kind      string          `json:"kind"`
		Versions  []string        `json:"versions"`
		Addresses []serverAddress `json:"serverAddressByClientCIDRs"`
	}{"APIVersions", d.coreVersions(), []serverAddress{{"0.0.0.0/0", host}}}
}

// coreVersions returns the versions of the core group, v1 even if it is empty.
func (d Documents) coreVersions() []string {
	versions := []string{"v1"}
	for _, typ := range d.types {
		if typ.Group == "" && !slices.Contains(versions, typ.Version) {
			versions = append(versions, typ.Version)
		}
	}
	return versions
}

// groups returns all groups but core, in order of registration.
func (d Documents) groups() []apiGroup {
	groups := []apiGroup{}
	place := map[string]int{} // of each group in groups: definitions may bring thousands
	for _, typ := range d.types {
		if typ.Group == "" {
			continue
		}
		i, there := place[typ.Group]
		gv := groupVersion{typ.APIVersion(), typ.Version}
		switch {
		case !there:
			place[typ.Group] = len(groups)
			groups = append(groups, apiGroup{Name: typ.Group, Versions: []groupVersion{gv}})
		case !slices.Contains(groups[i].Versions, gv):
			groups[i].Versions = append(groups[i].Versions, gv)
		}
	}
	for i := range groups {
		g := &groups[i]
		slices.SortFunc(g.Versions, func(a, b groupVersion) int {
			return resource.CompareVersions(a.Version, b.Version)
		})
		g.Preferred = g.Versions[0]
	}
	return groups
}

func (d Documents) group(name string) any {
	for _, g := range d.groups() {
		if g.Name == name {
			g.Kind, g.APIVersion = "APIGroup", "v1"
			return g
		}
	}
	return nil
}

func (d Documents) resourceList(group, version string) any {
	list := apiResourceList{"APIResourceList", "v1", (&resource.Resource{Group: group,
		Version: version}).APIVersion(), nil}
	for _, typ := range d.types {
		if typ.Group == group && typ.Version == version {
			list.Resources = append(list.Resources, discoveryOf(typ)...)
		}
	}
	if len(list.Resources) == 0 {
		return nil
	}
	return list
}

// discoveryOf returns the resource, and its subresources.
func discoveryOf(typ *resource.Type) []apiResource {
	list := []apiResource{{Name: typ.Plural, Singular: typ.SingularName(), Namespaced: !typ.Cluster,
		Kind: typ.Kind, ShortNames: typ.ShortNames, Categories: typ.Categories, Verbs: verbsOf(typ)}}
	if typ.IsNamespace() {
		list = append(list, apiResource{Name: typ.Plural + "/" + resource.SubFinalize, Kind: typ.Kind,
			Verbs: []string{resource.VerbUpdate}})
	}
	if typ.Status {
		list = append(list, apiResource{Name: typ.Plural + "/status", Namespaced: !typ.Cluster,
			Kind: typ.Kind, Verbs: statusVerbs})
	}
	if typ.Scale != nil {
		list = append(list, apiResource{Name: typ.Plural + "/" + resource.SubScale,
			Namespaced: !typ.Cluster,
			Group:      resource.ScaleKind.Group, Version: resource.ScaleKind.Version,
			Kind:  resource.ScaleKind.Kind,
			Verbs: statusVerbs})
	}
	return list
}

var statusVerbs = []string{resource.VerbGet, resource.VerbPatch, resource.VerbUpdate}

// verbsOf returns the verbs that the resource supports, in the order in which the real
// server lists them: sorted for built-in types, but not for custom ones.
func verbsOf(typ *resource.Type) []string {
	switch {
	case typ.IsNamespace():
		return []string{resource.VerbCreate, resource.VerbDelete, resource.VerbGet, resource.VerbList,
			resource.VerbPatch, resource.VerbUpdate, resource.VerbWatch}
	case typ.Builtin():
		return []string{resource.VerbCreate, resource.VerbDelete, resource.VerbDeleteCollection,
			resource.VerbGet, resource.VerbList,
			resource.VerbPatch, resource.VerbUpdate, resource.VerbWatch}
	}
	return []string{resource.VerbDelete, resource.VerbDeleteCollection, resource.VerbGet,
		resource.VerbList, resource.VerbPatch, resource.VerbCreate,
		resource.VerbUpdate, resource.VerbWatch}
}
