package main

import (
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi"
)

func TestWrongFlagsAreRefusedInOneLine(t *testing.T) {
	text, err := os.ReadFile("testdata/wrong-flags.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		args, want, _ := strings.Cut(strings.TrimSpace(line), " | ")

		code, stderr := fails(strings.Fields(args)...)
		assert.Equal(t, 2, code, args)
		assert.Contains(t, stderr, want, args)
		assert.Equal(t, 1, strings.Count(stderr, "\n"), "%s: one line, not the whole help", args)
	}
}

func TestOtherFailuresExitWith1(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer busy.Close()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-addr", busy.Addr().String()}, "address already in use"},
		{[]string{"-addr", "127.0.0.1"}, "missing port in address"},
	} {
		args := append([]string{"-addr", "127.0.0.1:0"}, c.args...)
		code, stderr := fails(args...)
		assert.Equal(t, 1, code, c.args)
		assert.Contains(t, stderr, c.want, c.args)
	}
}

func TestOtherMachinesNeedAToken(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0"} {
		code, stderr := fails("-addr", addr)
		assert.Equal(t, 1, code, addr)
		assert.Contains(t, stderr, "can be reached from other machines, which needs a -token")
	}
	start(t, "-addr", "localhost:0") // needs no token
	p := start(t, "-tls", "-addr", "0.0.0.0:0", "-token", "secret")
	code, _ := p.send("GET", widgets)
	assert.Equal(t, 401, code)
	p.token = "secret"
	code, _ = p.send("GET", widgets)
	assert.Equal(t, 200, code, "the token lets clients in")
	port := p.url[strings.LastIndex(p.url, ":"):]
	assert.Equal(t, "https://127.0.0.1"+port, p.url, "an address that clients can reach")
}

func TestFlagsReachTheServer(t *testing.T) {
	c, err := parseFlags(strings.Fields("-history-bytes=6 -history-age=8s -bookmark-interval=9s " +
		"-watch-buffer=10 -token=x -control -require-namespaces=false -collect-garbage " +
		"-resource=core/v1/endpoints=Endpoints " +
		"-resource=example.dev/v1/gadgets=Gadget"))
	require.NoError(t, err)
	o, standard := c.options, fakeapi.DefaultResources()
	assert.Equal(t, fakeapi.Resource{Version: "v1", Plural: "endpoints", Kind: "Endpoints"},
		o.Resources[len(standard)], "the core group has no name")
	byDefault, err := parseFlags(nil)
	require.NoError(t, err)
	assert.True(t, byDefault.options.RequireNamespaces, "as in a real server")
	assert.False(t, byDefault.options.CollectGarbage, "as in a real server without controllers")
	o.Resources = nil
	assert.Equal(t, fakeapi.Options{HistoryBytes: 6,
		HistoryAge:       8 * time.Second,
		BookmarkInterval: 9 * time.Second, WatchBuffer: 10, Token: "x", Control: true,
		CollectGarbage: true}, o)
}

func TestHelpIsNoFailure(t *testing.T) {
	var out strings.Builder
	code := run(t.Context(), []string{"-h"}, &out, io.Discard)
	assert.Zero(t, code)
	for _, flag := range []string{"-addr host:port", "-resource group/version"} {
		assert.Contains(t, out.String(), flag)
	}
}
