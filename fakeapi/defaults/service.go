package defaults

import (
	"cmp"
	"encoding/base64"
	"maps"
	"net/netip"
	"slices"

	"example.com/watchglass/fakeapi/object"
)

// next returns the next cluster IP. An address is reused only after all others in
// 10.96.0.0/12 have been given. The first 256 are left out: a real server keeps them for
// services that ask for a certain address.
func (d *Defaults) next() string {
	const first, static, all = 10<<24 | 96<<16, 256, 1 << 20
	a := first + static + d.Given.Add(1)%(all-static-1) // the last one is the broadcast address
	return netip.AddrFrom4([4]byte{byte(a >> 24), byte(a >> 16), byte(a >> 8), byte(a)}).String()
}

// internalTypes lists the types of services that get a cluster IP.
var internalTypes = []string{"ClusterIP", "NodePort", "LoadBalancer"}

// prepareService gives a service a cluster IP that it keeps, and makes clusterIP and
// clusterIPs agree. A service may ask for a certain address, or for "None".
func (d *Defaults) prepareService(was, t object.Tree) {
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
		ip = d.next()
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
