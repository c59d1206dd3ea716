package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/fakeapi"
	"example.com/watchglass/reflector/wire"
)

func TestFlagsThatMakeNoSenseAreRefused(t *testing.T) {
	for _, c := range []struct{ args, says string }{
		{"extra", `"extra" is not a flag`},
		{"-speed 2", "-h lists the flags"},
		{"-queue LIFO", "neither DeltaFIFO nor RealFIFO"},
		{"-addr 0.0.0.0:80", "no loopback address"},
		{"-addr :8098", "no loopback address"},
		{"-addr example.com:80", "no loopback address"},
		{"-export x.html", "-export is of no use without -story"},
		{"-context prod", "-context is of no use without -kubeconfig"},
		{"-token-file t", "-token-file is of no use without -server"},
		{"-ca-file c", "-ca-file is of no use without -server"},
		{"-resource /api/v1/pods", "-resource is of no use"},
		{"-server http://h -kubeconfig k", "give one of them"},
		{"-server http://h -story s", "only read"},
		{"-server h", "is no URL"},
		{"-server ftp://h", "is no URL"},
		{"-server http://me:secret@h", "more than scheme, host and path"},
		{"-server http://h?x=1", "more than scheme, host and path"},
		{"-server http://h -resource pods", "must begin with a slash"},
		{"-server http://h -ca-file c", "of no use without TLS"},
		{"-server https://h -ca-file none.pem", "-ca-file:"},
		{"-server https://h -token-file none", "-token-file:"},
		{"-server https://h -token-file " + os.DevNull, "is empty"},
		{"-kubeconfig none", "kubeconfig:"},
		{"-story none.story", "no such file"},
	} {
		var stdout, stderr bytes.Buffer
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // none of them serves anything
		code := run(ctx, strings.Fields(c.args), &stdout, &stderr)
		assert.NotZero(t, code, c.args)
		assert.Contains(t, stderr.String(), c.says, c.args)
		assert.Equal(t, 1, strings.Count(stderr.String(), "\n"), stderr.String())
		assert.Empty(t, stdout.String(), c.args)
	}
}

func TestHelpIsNoMistake(t *testing.T) {
	var stdout, stderr bytes.Buffer
	assert.Zero(t, run(t.Context(), []string{"-h"}, &stdout, &stderr))
	assert.Contains(t, stdout.String(), "-story")
	assert.Empty(t, stderr.String())
}

// The program serves on a loopback address, and ends when it is interrupted, streams included.
func TestTheProgramServesUntilItIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	read, write := io.Pipe()
	code := make(chan int, 1)
	go func() { code <- run(ctx, []string{"-addr", "127.0.0.1:0"}, write, io.Discard) }()
	line := make([]byte, 100)
	n, err := read.Read(line)
	require.NoError(t, err)
	url := strings.TrimSpace(string(line[:n]))
	host := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/")
	ip, _, err := net.SplitHostPort(host)
	require.NoError(t, err)
	assert.True(t, net.ParseIP(ip).IsLoopback())
	resp, err := http.Get(url + "events?after=0")
	require.NoError(t, err)
	defer resp.Body.Close()
	assert.Equal(t, "text/event-stream", resp.Header.Get("Content-Type"))
	cancel()
	assert.Zero(t, <-code)
	_, _ = io.ReadAll(resp.Body) // it has ended
}

// A real server is only read: whatever is pressed, it gets lists and watches.
func TestARealServerIsOnlyRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var verbs []string
		api := fakeapi.New(fakeapi.Options{Trace: &fakeapi.Trace{
			Request: func(q fakeapi.Request) { verbs = append(verbs, q.Verb) },
		}})
		defer api.Close()
		_, err := api.Create("services", `{"metadata":{"name":"web-1"},"spec":{"ports":[{"port":80}]}}`)
		require.NoError(t, err)
		m, err := newMachine(newCollector(source, maxHeld), deltaFIFO, wire.ClientOptions{
			URL: fakeapi.URL + "/api/v1/services", HTTPClient: api.Client()})
		require.NoError(t, err)
		m.renew()
		defer m.close()
		require.NoError(t, m.observe())
		synctest.Wait()
		for _, b := range buttons {
			_ = m.do(order{Do: b.Do, Key: "default/web-1", Args: map[string]string{"kind": realFIFO}})
			synctest.Wait()
		}
		time.Sleep(time.Minute)
		for _, verb := range verbs {
			assert.Contains(t, []string{"list", "watch"}, verb)
		}
		for _, b := range m.meta().Buttons {
			assert.False(t, b.writes, "there is no button %s", b.Do)
		}
		assert.True(t, m.meta().ReadOnly)
		assert.ErrorContains(t, m.do(order{Do: "create"}), "this one is real, and only read")
		s, _, _ := m.seen.list()
		assert.Contains(t, s.Cache.Objects, ObjectState{"default/web-1", "2"})
		assert.Empty(t, s.Server.Objects, "a real server has no trace")
	})
}

// A page that opens while a story is played drives it, one command for each press.
func TestAStoryIsPressedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newBareRig(t, deltaFIFO)
		p, err := readStory(m, aStory, synctest.Wait)
		require.NoError(t, err)
		s := newSite(t, m)
		s.page.player = p
		first := s.list().Meta.Story
		assert.Equal(t, &StoryState{File: filepath.Base(aStory), Steps: len(p.steps),
			Next: "create web-1 web-2"}, first)
		for range p.steps {
			require.NoError(t, p.press())
			time.Sleep(time.Minute)
			synctest.Wait()
		}
		assert.ErrorIs(t, p.press(), errStoryOver)
		assert.ErrorIs(t, p.press(), errStoryOver, "and so it stays")
		l := s.list()
		assert.Empty(t, l.Meta.Story.Next)
		assert.Equal(t, []ObjectState{{"default/web-1", "5"}}, l.State.Cache.Objects)
		agree(t, m, "the story")
	})
}

func TestAStoryInItsCommandIsNotPressedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newBareRig(t, deltaFIFO)
		p, err := readStory(m, aStory, m.seen.quiet)
		require.NoError(t, err)
		for p.state().Next != "wait 2s" {
			require.NoError(t, p.press())
			time.Sleep(time.Second)
		}
		require.NoError(t, p.press())
		synctest.Wait()
		assert.ErrorIs(t, p.press(), errStoryBusy, "it still waits for two seconds")
		time.Sleep(3 * time.Second)
		assert.NoError(t, p.press())
		synctest.Wait()
	})
}

// A story that waits holds up no button, and its commands may restart what buttons stopped.
func TestButtonsWorkWhileAStoryWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "again.story")
		text := "handler greeter\ncreate web-1\nrun\nwait 1h\nstop\nrun\n"
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		m := newBareRig(t, deltaFIFO)
		p, err := readStory(m, file, func() {})
		require.NoError(t, err)
		require.NoError(t, p.play())
		press(t, m, "queue", "", "kind", realFIFO) // of an informer that never ran
		press(t, m, "stop", "")
		for range 3 {
			require.NoError(t, p.press())
			synctest.Wait()
		}
		start := time.Now()
		press(t, m, "queue", "", "kind", deltaFIFO)
		assert.Zero(t, time.Since(start), "the story waits for an hour, the button does not")
		agree(t, m, "a restart while the story waits")
		time.Sleep(2 * time.Hour)
		for range 2 {
			require.NoError(t, p.press())
			time.Sleep(time.Minute)
			synctest.Wait()
		}
		s, _, _ := m.seen.list()
		assert.Equal(t, "watching", s.Reflector.State, "the story has started an informer again")
		agree(t, m, "the story")
	})
}

// What the page is sent is what the types say: nothing is null where the page expects a list.
func TestListsAreNeverNull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newBareRig(t, deltaFIFO)
		data, err := json.Marshal(newSite(t, m).list())
		require.NoError(t, err)
		assert.Equal(t, 2, bytes.Count(data, []byte("null")), "only reflector.last and meta.story: %s", data)
	})
}

// The end of the program waits for no lock that a story may need, and no command begins after it. A
// goroutine that waits for a lock stops the clock of a bubble, so this test has none.
func TestTheProgramEndsWhileAStoryIsBetweenTwoObjects(t *testing.T) {
	m, err := newFakeMachine(newCollector(source, maxHeld), deltaFIFO, false)
	require.NoError(t, err)
	between := make(chan struct{}, 2)
	p, err := readStory(m, aStory, func() { between <- struct{}{}; <-m.life.Done() })
	require.NoError(t, err)
	require.NoError(t, p.press(), "create web-1 web-2")
	<-between
	closed := make(chan struct{})
	go func() { defer close(closed); m.close() }()
	select {
	case <-closed:
	case <-time.After(10 * time.Second):
		require.Fail(t, "the story waits for a lock that the end holds")
	}
	assert.ErrorIs(t, p.press(), errClosed)
	assert.ErrorIs(t, m.do(order{Do: "start"}), errClosed, "nothing starts after the end")
}

// A streaming list is a watch: with -stream the server gets no list, and the picture is as true.
func TestAStreamingListIsStreamedFromTheFirstInformerOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, err := newFakeMachine(newCollector(source, maxHeld), deltaFIFO, true)
		require.NoError(t, err)
		t.Cleanup(m.close)
		require.NoError(t, m.furnish())
		synctest.Wait()
		agree(t, m, "a streaming list")
		gap := []string{"disconnect", "heal", "stop", "start", "update"}
		for _, do := range gap {
			time.Sleep(2 * time.Second)
			press(t, m, do, "default/web-1")
			time.Sleep(time.Minute)
			synctest.Wait()
			if do != "disconnect" {
				agree(t, m, do)
			}
		}
		events, _, _ := m.seen.after(0, maxHeld)
		streamed := 0
		for _, e := range events {
			assert.NotEqual(t, "list", e.Kind, "event %d: %s", e.Seq, e.Text)
			if strings.Contains(e.Text, ": streamed") {
				streamed++
			}
			assert.Contains(t, append(m.meta().States, "stopped"), e.State.Reflector.State)
		}
		assert.Equal(t, 2, streamed, "by each of the two informers")
	})
}
