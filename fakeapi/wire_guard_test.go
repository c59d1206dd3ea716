package fakeapi

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/watchglass/fakeapi/wire"
)

// A Guard refuses requests by their host, their origin and their token, and without work that
// grows with the request.
func TestGuard(t *testing.T) {
	token, hosts := wire.Guard{Token: "secret"}, wire.Guard{AllowHosts: []string{"box.example", "192.0.2.7"}}
	for _, c := range []struct {
		law, header, value string
		guard              wire.Guard
		code               int // 0: the request is handled
	}{
		{"a client that is not a browser", "", "", wire.Guard{}, 0},
		{"a page of another site", "Sec-Fetch-Site", "cross-site", wire.Guard{}, 403},
		{"a page of the server itself", "Sec-Fetch-Site", "same-origin", wire.Guard{}, 0},
		{"an old browser with a page of another origin", "Origin", "https://page.example", wire.Guard{}, 403},

		{"any name, if none is named", "Host", "page.example", wire.Guard{}, 0},
		{"localhost with any port", "Host", "localhost:8001", hosts, 0},
		{"the loopback address of IPv6", "Host", "[::1]:8001", hosts, 0},
		{"the loopback address of IPv6 without a port", "Host", "[::1]", hosts, 0},
		{"an allowed name in other case", "Host", "BOX.Example:1", hosts, 0},
		{"an allowed address", "Host", "192.0.2.7:8001", hosts, 0},
		{"a name of this machine", "Host", "box:8001", hosts, 0},
		{"a name that is too long for a label", "Host", strings.Repeat("h", 64), hosts, 403},
		{"an address of IPv6 that is not loopback", "Host", "[2001:db8::1]:8001", hosts, 403},
		{"a name with a dot at its end", "Host", "page.", hosts, 403},
		{"a name that ends like an allowed one", "Host", "not-box.example", hosts, 403},
		{"an address that is not loopback", "Host", "192.0.2.1:8001", hosts, 403},

		{"the token", "Authorization", "Bearer secret", token, 0},
		{"the scheme in other case", "Authorization", "bEARER secret", token, 0},
		{"no token", "", "", token, 401},
		{"another token", "Authorization", "Bearer Secret", token, 401},
		{"the token and more", "Authorization", "Bearer secrets", token, 401},
		{"a token of a megabyte", "Authorization", strings.Repeat("x", 1<<20), token, 401},
		{"a host of a megabyte", "Host", strings.Repeat("h", 1<<20), hosts, 403},
	} {
		r := httptest.NewRequest("POST", "/", nil)
		r.Header.Set("Accept", strings.Repeat("a/b;c=d,", 64<<10))
		if r.Header.Set(c.header, c.value); c.header == "Host" {
			r.Host = c.value
		}
		before := allocated()
		refusal := c.guard.Check(r, false)
		assert.Less(t, allocated()-before, uint64(64<<10), "%s: bytes allocated", c.law)
		code := 0
		if refusal != nil {
			code = refusal.Code
			assert.Less(t, len(refusal.Encode()), 1024, c.law)
		}
		assert.Equal(t, c.code, code, c.law)
	}
	page := httptest.NewRequest("GET", "/", nil)
	page.Header.Set("Sec-Fetch-Site", "cross-site")
	assert.Nil(t, wire.Guard{}.Check(page, false), "reads are answered; the browser hides the answer")
	assert.Nil(t, token.Check(httptest.NewRequest(http.MethodGet, "/healthz", nil), true),
		"probes need no token")
}
