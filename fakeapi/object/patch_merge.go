package object

import "maps"

// MergePatch applies a JSON merge patch, RFC 7396, and returns the result: objects are merged
// key by key, null removes a key, and any other value replaces the old one. It alters target and
// change, of which parts become parts of the result.
func MergePatch(target, change any) any {
	p, ok := change.(Tree)
	if !ok {
		return change
	}
	t, ok := target.(Tree)
	if !ok {
		dropNulls(p)
		return p
	}
	for k, v := range p {
		if v == nil {
			delete(t, k)
			continue
		}
		t[k] = MergePatch(t[k], v)
	}
	return t
}

// dropNulls removes what a merge patch leaves out where there is nothing to merge it with.
func dropNulls(p Tree) {
	maps.DeleteFunc(p, func(_ string, v any) bool {
		if o, ok := v.(Tree); ok {
			dropNulls(o)
		}
		return v == nil
	})
}
