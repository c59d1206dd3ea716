package fakeapi

// mergePatch applies a JSON merge patch, RFC 7396: objects are merged key by
// key, null removes, everything else replaces. target is altered.
func mergePatch(target any, patch any) any {
	p, ok := patch.(tree)
	if !ok {
		return patch
	}
	t, ok := target.(tree)
	if !ok {
		t = tree{}
	}
	for k, v := range p {
		if v == nil {
			delete(t, k)
			continue
		}
		t[k] = mergePatch(t[k], v)
	}
	return t
}
