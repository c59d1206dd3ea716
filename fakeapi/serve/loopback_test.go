package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A web page can make its own DNS name point to 127.0.0.1. Then only the Host header tells its
// requests from those of a client.
func TestOnLoopbackOnlyLoopbackNamesAreAnswered(t *testing.T) {
	p := start(t, "-control", "-allow-host", "box.example")
	for _, c := range []struct {
		host string
		code int
	}{
		{"localhost:8001", 200}, {"127.0.0.1", 200}, {"[::1]:80", 200}, {"box.example:8001", 200},
		{"page.example", 403}, {"page.example:8001", 403},
	} {
		code, _ := p.sendAs(c.host, "GET", widgets)
		assert.Equal(t, c.code, code, c.host)
		code, _ = p.sendAs(c.host, "POST", "/fakeapi/heal")
		assert.Equal(t, map[int]int{200: 204, 403: 403}[c.code], code, "%s: control", c.host)
	}
	_, body := p.sendAs("page.example", "GET", widgets)
	assert.Contains(t, body, `does not answer to the host \"page.example\"`)

	p = start(t, "-addr", "0.0.0.0:0", "-token", "secret")
	p.token = "secret"
	code, _ := p.sendAs("page.example", "GET", widgets)
	assert.Equal(t, 200, code, "on other addresses the token keeps web pages out")
}
