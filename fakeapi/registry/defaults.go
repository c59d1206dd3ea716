package registry

import (
	"cmp"
	_ "embed"
	"encoding/base64"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"

	"example.com/watchglass/fakeapi/object"
)

// A fieldDefault gives one field of a built-in type its default.
type fieldDefault struct {
	path string // with a leading dot; [] after a name means every element of the list
	// value is the default: JSON, of which each object gets its own copy, or a
	// func(beside object.Tree) any for one that depends on the fields beside it. If the
	// function returns nil, there is no default.
	value any
	// If beside is the name of a field beside it, the default applies only if that has one of
	// these values.
	beside string
	is     []string
}

// defaults completes objects of built-in types. The zero value is ready for use, by many
// goroutines.
type defaults struct{ given atomic.Uint32 } // how many cluster IPs services have got

// complete fills in the defaults of t, which is a new object or an updated one: a PUT that leaves a
// field out asks for its default. was is the object before the update, nil for a new one.
func (d *defaults) complete(typ *object.Type, was, t object.Tree) {
	switch typ.QualifiedName() {
	case "services":
		d.prepareService(was, t)
	case "secrets":
		prepareSecret(t)
	}
	for _, p := range defaultsOf[typ.QualifiedName()] {
		p.fill(t, p.path[1:]) // without the leading dot
	}
}

// fill sets the field at a path below t.
func (p fieldDefault) fill(t object.Tree, path string) {
	key, rest, more := strings.Cut(path, ".")
	key, each := strings.CutSuffix(key, "[]")
	switch v := t[key].(type) {
	case object.Tree:
		if more && !each {
			p.fill(v, rest)
		}
	case []any:
		for _, e := range v {
			if o, ok := e.(object.Tree); ok && each {
				p.fill(o, rest)
			}
		}
	default:
		if !more && (v == nil || v == "") { // typed clients send "" for strings that are not set
			p.set(t, key)
		}
	}
}

func (p fieldDefault) set(t object.Tree, key string) {
	if is, _ := t[p.beside].(string); p.beside != "" && !slices.Contains(p.is, is) {
		return
	}
	v := p.value
	if f, ok := v.(func(object.Tree) any); ok {
		v = f(t)
	}
	if v != nil {
		t[key] = object.Copy(v)
	}
}

// nextIP returns the next cluster IP. An address is reused only after all others in
// 10.96.0.0/12 have been given. The first 256 are left out: a real server keeps them for
// services that ask for a certain address.
func (d *defaults) nextIP() string {
	const first, static, all = 10<<24 | 96<<16, 256, 1 << 20
	a := first + static + d.given.Add(1)%(all-static-1) // the last one is the broadcast address
	return netip.AddrFrom4([4]byte{byte(a >> 24), byte(a >> 16), byte(a >> 8), byte(a)}).String()
}

// internalTypes lists the types of services that get a cluster IP.
var internalTypes = []string{"ClusterIP", "NodePort", "LoadBalancer"}

// prepareService gives a service a cluster IP that it keeps, and makes clusterIP and
// clusterIPs agree. A service may ask for a certain address, or for "None".
func (d *defaults) prepareService(was, t object.Tree) {
	spec := object.Within(t, "spec")
	if kind, _ := spec["type"].(string); kind != "" && !slices.Contains(internalTypes, kind) {
		delete(spec, "clusterIP")
		delete(spec, "clusterIPs")
		return
	}
	list, first := object.At[[]any](spec, "clusterIPs"), ""
	if len(list) > 0 {
		first, _ = list[0].(string)
	}
	before := object.At[string](was, ".spec.clusterIP")
	ip := cmp.Or(object.At[string](spec, "clusterIP"), first, before)
	if ip == "" {
		ip = d.nextIP()
	}
	spec["clusterIP"] = ip
	if ip != first {
		spec["clusterIPs"] = []any{ip}
	}
}

// prepareSecret moves stringData, which people write as plain text, to data in base64.
func prepareSecret(t object.Tree) {
	plain, _ := t["stringData"].(object.Tree)
	delete(t, "stringData")
	if len(plain) == 0 {
		return
	}
	data := maps.Clone(object.Within(t, "data")) // the object before the write may share it
	t["data"] = data
	for key, v := range plain {
		s, _ := v.(string)
		data[key] = base64.StdEncoding.EncodeToString([]byte(s))
	}
}

//go:embed defaults.txt
var defaultsText string

// defaultsOf maps a type's qualified name to its defaults, in the order in which they are filled
// in.
var defaultsOf = readDefaults(defaultsText)

// readDefaults reads the table in defaults.txt, which says how it is written.
func readDefaults(text string) map[string][]fieldDefault {
	all := map[string][]fieldDefault{}
	name := "" // of the type that the lines are about
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] == "#":
		case len(words) == 1:
			name = words[0]
		case strings.HasPrefix(words[1], "$"):
			for _, p := range all[words[1]] {
				p.path = words[0] + p.path
				all[name] = append(all[name], p)
			}
		default:
			all[name] = append(all[name], readDefault(words))
		}
	}
	return all
}

// readDefault reads a line of the table: a path, a default, and the condition for it.
func readDefault(words []string) fieldDefault {
	p := fieldDefault{path: words[0]}
	if len(words) > 2 {
		p.beside, p.is = words[2], words[3:]
	}
	if field, ok := strings.CutPrefix(words[1], "="); ok {
		p.value = func(beside object.Tree) any { return beside[field] }
	} else if words[1] == "(pullPolicy)" {
		p.value = imagePullPolicy
	} else {
		t, err := object.DecodeTree([]byte(`{"value":` + words[1] + `}`))
		if err != nil {
			panic(err)
		}
		p.value = t["value"]
	}
	return p
}

// imagePullPolicy returns Always for an image without a digest or a tag other than latest:
// its name may stand for another image tomorrow.
func imagePullPolicy(container object.Tree) any {
	image, _ := container["image"].(string)
	name, _, hasDigest := strings.Cut(image, "@")
	_, tag, _ := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ":")
	if !hasDigest && cmp.Or(tag, "latest") == "latest" {
		return "Always"
	}
	return "IfNotPresent"
}
