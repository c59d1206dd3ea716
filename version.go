package watchglass

import (
	"cmp"
	"fmt"
	"strings"
)

// CompareResourceVersion returns -1 if resourceVersion a is older than b, +1 if it is newer, and 0
// if they are the same. Both must come from the same collection.
//
// Versions are compared as positive decimal numbers of any length, without leading zeros. Since
// 1.35 Kubernetes guarantees this form (API concepts, "Resource versions"); before, only equality
// meant something. If a version is not such a number, the error names it; "" and "0" are not.
func CompareResourceVersion(a, b string) (int, error) {
	for _, version := range []string{a, b} {
		if !isNumber(version) {
			return 0, fmt.Errorf("resourceVersion %.40q is not a positive number without leading zeros",
				version)
		}
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)), nil
}

// isNumber says whether version is a positive number without leading zeros. With leading zeros, the
// longer of two texts would not always be the larger number.
func isNumber(version string) bool {
	return version != "" && version[0] != '0' && strings.Trim(version, "0123456789") == ""
}
