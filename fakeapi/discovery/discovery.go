package discovery

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/watchglass/fakeapi/resource"
)

// A tree is a document, or a part of one.
type tree = map[string]any

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
	case path == "openapi/v3":
		return d.openAPIIndex()
	case parts[0] == "openapi":
		return d.openAPI(strings.TrimPrefix(path, "openapi/v3/"))
	case path == "apis":
		return tree{"kind": "APIGroupList", "apiVersion": "v1", "groups": d.groups()}
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
var versionInfo = tree{"major": "1", "minor": "36", "gitVersion": release, "gitCommit": "",
	"gitTreeState": "", "buildDate": "1970-01-01T00:00:00Z", "goVersion": "", "compiler": "gc",
	"platform": ""}

// apiVersions returns meta/v1 APIVersions: the versions of the core group, v1 even if it is
// empty, and the server's address for clients of any network.
func (d Documents) apiVersions(host string) tree {
	_, versions := d.versions()
	core := versions[""]
	if core == nil {
		core = []string{"v1"}
	}
	return tree{"kind": "APIVersions", "versions": core,
		"serverAddressByClientCIDRs": []tree{{"clientCIDR": "0.0.0.0/0", "serverAddress": host}}}
}

// versions returns the groups, in order of registration, and the versions of each, those that
// clients prefer first.
func (d Documents) versions() (groups []string, versions map[string][]string) {
	versions = map[string][]string{} // definitions may bring thousands of groups
	for _, typ := range d.types {
		if versions[typ.Group] == nil {
			groups = append(groups, typ.Group)
		}
		if of := versions[typ.Group]; !slices.Contains(of, typ.Version) {
			versions[typ.Group] = append(of, typ.Version)
			slices.SortFunc(versions[typ.Group], compareVersions)
		}
	}
	return groups, versions
}

// groups returns all groups but core.
func (d Documents) groups() []tree {
	all := []tree{}
	names, versions := d.versions()
	for _, name := range names {
		if name != "" {
			all = append(all, describe(name, versions[name]))
		}
	}
	return all
}

// group returns meta/v1 APIGroup, nil if there is no such group.
func (d Documents) group(name string) any {
	_, versions := d.versions()
	if versions[name] == nil {
		return nil
	}
	group := describe(name, versions[name])
	group["kind"], group["apiVersion"] = "APIGroup", "v1"
	return group
}

// describe returns a group, with the version that clients use if their user names none.
func describe(group string, versions []string) tree {
	all := make([]tree, len(versions))
	for i, version := range versions {
		all[i] = tree{"groupVersion": group + "/" + version, "version": version}
	}
	return tree{"name": group, "versions": all, "preferredVersion": all[0]}
}

// resourceList returns meta/v1 APIResourceList, nil if nothing is served in the version.
func (d Documents) resourceList(group, version string) any {
	var resources []tree
	for _, typ := range d.types {
		if typ.Group == group && typ.Version == version {
			resources = append(resources, resourcesOf(typ)...)
		}
	}
	if resources == nil {
		return nil
	}
	return tree{"kind": "APIResourceList", "apiVersion": "v1", "resources": resources,
		"groupVersion": strings.TrimPrefix(group+"/"+version, "/")}
}

// resourcesOf returns meta/v1 APIResource: the resource, and its subresources.
func resourcesOf(typ *resource.Type) []tree {
	entry := func(name string, verbs ...string) tree {
		return tree{"name": name, "singularName": "", "namespaced": !typ.Cluster,
			"kind": typ.Kind, "verbs": verbs}
	}
	one := entry(typ.Plural, typ.Verbs()...)
	one["singularName"] = typ.SingularName()
	if typ.ShortNames != nil {
		one["shortNames"] = typ.ShortNames
	}
	if typ.Categories != nil {
		one["categories"] = typ.Categories
	}
	list := []tree{one}
	if typ.IsNamespace() {
		list = append(list, entry(typ.Plural+"/finalize", "update"))
	}
	if typ.Status {
		list = append(list, entry(typ.Plural+"/status", "get", "patch", "update"))
	}
	if typ.Scale != nil {
		scale := entry(typ.Plural+"/scale", "get", "patch", "update")
		scale["group"], scale["version"], scale["kind"] = "autoscaling", "v1", "Scale"
		list = append(list, scale)
	}
	return list
}

// A version of an API as Kubernetes names them: v1, v2beta3.
var apiVersionName = regexp.MustCompile(`^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$`)

// compareVersions orders the versions of a group as clients prefer them: stable
// ones before beta before alpha, higher ones first, all other names last and in
// alphabetical order. kubectl uses the first one if its user does not name a version.
func compareVersions(a, b string) int {
	m, n := apiVersionName.FindStringSubmatch(a), apiVersionName.FindStringSubmatch(b)
	switch {
	case m == nil && n == nil:
		return cmp.Compare(a, b)
	case m == nil:
		return 1
	case n == nil:
		return -1
	}
	stability := map[string]int{"alpha": 2, "beta": 1, "": 0}
	return cmp.Or(cmp.Compare(stability[m[2]], stability[n[2]]),
		cmp.Compare(atoi(n[1]), atoi(m[1])), cmp.Compare(atoi(n[3]), atoi(m[3])))
}

func atoi(digits string) int { n, _ := strconv.Atoi(digits); return n }
