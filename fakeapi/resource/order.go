package resource

import (
	"cmp"
	"regexp"
	"strconv"
)

// A version of an API as Kubernetes names them: v1, v2beta3.
var apiVersionName = regexp.MustCompile(`^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$`)

// CompareVersions orders the versions of a group as clients prefer them: stable
// ones before beta before alpha, higher ones first, all other names last and in
// alphabetical order. kubectl uses the first one if its user does not name a version.
func CompareVersions(a, b string) int {
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
