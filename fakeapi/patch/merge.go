package patch

// Merge applies a JSON merge patch, RFC 7396: objects are merged key by key, null
// removes, everything else replaces. It alters target, and parts of change become
// parts of the result.
func Merge(target, change any) any {
	p, ok := change.(object)
	if !ok {
		return change
	}
	t, ok := target.(object)
	if !ok {
		t = object{}
	}
	for k, v := range p {
		if v == nil {
			delete(t, k)
			continue
		}
		t[k] = Merge(t[k], v)
	}
	return t
}
