package reflector

// memory is what a reflector remembers from one list to the next, besides the version itself.
type memory struct {
	// paged: a list at "0" came in pages, so the server has no cache to answer from, and pages cost
	// it nothing extra. Never unlearnt.
	paged bool
	// asked and answered are the versions of the last list that succeeded.
	asked, answered string
}

const (
	anyVersion = "0" // whatever the server has at hand
	usualPage  = 500 // objects
	noLimit    = 0   // everything in one document
)

// listVersion is the version to ask a list for. A version that is known keeps the list from going
// back in time, which one at "0" might, where a server lags behind.
func listVersion(state State, last string) string {
	switch {
	case state == ListingLatest:
		return ""
	case last == "":
		return anyVersion
	}
	return last
}

// pageSize is the limit to ask a list at version for. A limit together with a version means exactly
// that version, which the server must fetch from its database, if it still can; without a limit
// it means at least that version, for which the cache will do.
func (m *memory) pageSize(configured int64, version string) int64 {
	switch {
	case configured != 0:
		return configured
	case m.paged, version == "", version == anyVersion:
		return usualPage
	}
	return noLimit
}

// learn remembers a list that was asked for at one version and answered with another.
func (m *memory) learn(asked, answered string, paged bool) {
	m.paged = m.paged || paged && asked == anyVersion
	m.asked, m.answered = asked, answered
}

// stuck reports whether version is where a list has already led that was asked for it. If a watch
// from there is refused as too old, then another such list leads nowhere: this is how clients came
// to list for ever, with pages and therefore exactly the version that had expired (k/k#133810).
func (m *memory) stuck(version string) bool {
	return version != "" && m.asked == version && m.answered == version
}

// olderThan reports whether a is older than b, as far as can be told: versions are opaque by
// contract and numbers in practice.
func olderThan(a, b string) bool {
	if !isNumber(a) || !isNumber(b) {
		return false
	}
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return a < b
}

func isNumber(s string) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != "" && s[0] != '0'
}
