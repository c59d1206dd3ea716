// Package selector reads label selectors and field selectors and says which objects they select. It
// also holds the rules for the names that a selector, a label or an object may have.
//
// Smallest use:
//
//	s, err := selector.ParseLabels("app=web,tier in (front,back)")
//	…
//	if s.Matches(map[string]string{"app": "web", "tier": "front"}) { …
//
// # What it promises
//
// The grammar, and the words of its errors, are those of a real API server: kubectl shows them to
// people. A parsed selector is immutable; many goroutines may use it at the same time.
//
// # What it does not promise
//
// It knows neither objects nor resources. Labels are a map and a field is a number; the
// caller decides which fields a selector may name.
package selector
