package watchglass

import (
	"cmp"
	"fmt"
	"strings"
)

// CompareResourceVersion returns -1 if resourceVersion a is older than b, +1 if it is newer, and 0
// if they are the same. Both must be of one collection.
//
// A version is compared as a positive number of any length without leading zeros. Kubernetes
// guarantees since 1.35 that it is one (API concepts, "Resource versions"). Before, only equality
// meant something. The error names the version that is not such a number; "" and "0" are not.
func CompareResourceVersion(a, b string) (int, error) {
	for _, version := range []string{a, b} {
		if !isNumber(version) {
			return 0, fmt.Errorf("resourceVersion %.40q is not a positive number: it has no order",
				version)
		}
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)), nil
}

// isNumber is false for "07": text of different length could not be compared by its length.
func isNumber(version string) bool {
	return version != "" && version[0] != '0' && strings.Trim(version, "0123456789") == ""
}
