package encode

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"example.com/watchglass/fakeapi/object"
)

// A tree is JSON: a document, or a part of one.
type tree = map[string]any

// Documents makes the discovery and OpenAPI documents about some types, each when a client first
// asks for it. It is safe for concurrent use.
type Documents struct {
	makers   map[string]func() [][]byte // of the parts of a document, by path
	versions []string                   // of the core group; v1 even if it is empty
}

// NewDocuments returns the documents about types, in their order. It makes none of them.
func NewDocuments(types []*object.Type) *Documents {
	d := &Documents{versions: []string{"v1"}, makers: map[string]func() [][]byte{}}
	d.add("openapi/v3", d.openAPIIndex) // it needs the hashes of all others
	d.add("version", func() any { return versionInfo })
	in := map[string][]*object.Type{} // the types of a version, by its path
	var groups []string
	versions := map[string][]string{}
	for _, typ := range types { // definitions may bring thousands of groups, and of versions
		if versions[typ.Group] == nil {
			groups = append(groups, typ.Group)
		}
		path := versionPath(typ)
		if in[path] == nil {
			versions[typ.Group] = append(versions[typ.Group], typ.Version)
		}
		in[path] = append(in[path], typ)
	}
	for path, types := range in {
		d.add(path, func() any { return resourceList(types) })
		d.makers[openAPIPrefix+path] = sync.OnceValue(func() [][]byte { return openAPI(types) })
	}
	d.addGroups(groups, versions)
	return d
}

// add adds a document, which is made once.
func (d *Documents) add(path string, document func() any) {
	d.makers[path] = sync.OnceValue(func() [][]byte { return [][]byte{object.JSON(document())} })
}

// addGroups adds the documents about groups, and about each of them, in their order.
func (d *Documents) addGroups(groups []string, versions map[string][]string) {
	all := []tree{} // without the core group
	for _, group := range groups {
		slices.SortFunc(versions[group], compareVersions)
		if group == "" {
			d.versions = versions[group]
			continue
		}
		one := describe(group, versions[group])
		all = append(all, one)
		d.add("apis/"+group, func() any {
			document := tree{"kind": "APIGroup", "apiVersion": "v1"}
			maps.Copy(document, one)
			return document
		})
	}
	d.add("apis", func() any {
		return tree{"kind": "APIGroupList", "apiVersion": "v1", "groups": all}
	})
}

// At returns the JSON of the document at a path, which has no slash at its ends, in parts; ok is
// false if there is none. host is the address by which the client has reached the server.
func (d *Documents) At(path, host string) (document [][]byte, ok bool) {
	if path == "api" {
		return [][]byte{object.JSON(tree{"kind": "APIVersions", "versions": d.versions,
			"serverAddressByClientCIDRs": []tree{{"clientCIDR": "0.0.0.0/0", "serverAddress": host}}})}, true
	}
	if maker, ok := d.makers[path]; ok {
		return maker(), true
	}
	return nil, false
}

// versionPath returns the path of the resource's group and version, without the slash
// that a path begins with.
func versionPath(typ *object.Type) string {
	if typ.Group == "" {
		return "api/" + typ.Version
	}
	return "apis/" + typ.Group + "/" + typ.Version
}

// release is the Kubernetes release whose behaviour this package follows.
const release = "v1.36.3"

// versionInfo answers /version.
var versionInfo = tree{"major": "1", "minor": "36", "gitVersion": release, "gitCommit": "",
	"gitTreeState": "", "buildDate": "1970-01-01T00:00:00Z", "goVersion": "", "compiler": "gc",
	"platform": ""}

// describe returns a group, with the version that clients use if their user names none.
func describe(group string, versions []string) tree {
	all := make([]tree, len(versions))
	for i, version := range versions {
		all[i] = tree{"groupVersion": group + "/" + version, "version": version}
	}
	return tree{"name": group, "versions": all, "preferredVersion": all[0]}
}

// resourceList returns meta/v1 APIResourceList about the types of one version.
func resourceList(types []*object.Type) any {
	var resources []tree
	for _, typ := range types {
		resources = append(resources, resourcesOf(typ)...)
	}
	return tree{"kind": "APIResourceList", "apiVersion": "v1", "resources": resources,
		"groupVersion": types[0].APIVersion()}
}

// resourcesOf returns meta/v1 APIResource: the resource, and its subresources.
func resourcesOf(typ *object.Type) []tree {
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

// apiVersionName matches versions as Kubernetes names them: v1, v2beta3.
var apiVersionName = regexp.MustCompile(`^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$`)

// compareVersions orders the versions of a group as clients prefer them: stable
// ones before beta before alpha, higher ones first, all other names last and in
// alphabetical order. kubectl uses the first one if its user does not name a version.
func compareVersions(a, b string) int {
	return cmp.Or(slices.Compare(rank(a), rank(b)), cmp.Compare(a, b))
}

// rank returns the numbers by which compareVersions orders a name.
func rank(version string) []int {
	parts := apiVersionName.FindStringSubmatch(version)
	if parts == nil {
		return []int{3}
	}
	major, _ := strconv.Atoi(parts[1]) // digits; a larger number than an int counts as the largest
	minor, _ := strconv.Atoi(parts[3])
	return []int{map[string]int{"beta": 1, "alpha": 2}[parts[2]], -major, -minor}
}
