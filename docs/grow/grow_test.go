package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/story"
	"example.com/watchglass/fakeapi"
)

// Each step but the last plays a story that begins with 2, in which it fails. The next step plays a
// story that begins with 1, with the same commands. So each step fixes just what is shown.
func TestStories(t *testing.T) {
	for i, s := range steps {
		t.Run(fmt.Sprint(i+1), func(t *testing.T) {
			assert.Equal(t, commands(t, fmt.Sprintf("%d/testdata/2_*.story", i)),
				commands(t, fmt.Sprintf("%d/testdata/1_*.story", i+1)),
				"what the step before fails in, and what is fixed")
			story.PlayInBubble(t, fmt.Sprintf("%d/testdata/*.story", i+1), func(t testing.TB) story.Machine {
				return start(t, s)
			})
		})
	}
}

// commands returns the commands of the story that matches, nil if there is none.
func commands(t *testing.T, glob string) (commands []string) {
	paths, err := filepath.Glob(glob)
	require.NoError(t, err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		steps, err := story.Parse(string(text))
		require.NoError(t, err, path)
		for _, step := range steps {
			commands = append(commands, step.Command.Text)
		}
	}
	return commands
}

// machine is a step that runs, the server that it follows, and what it has printed.
type machine struct {
	server *fakeapi.Server
	step   step
	ctx    context.Context
	stop   func()
	done   sync.WaitGroup

	mu   sync.Mutex
	out  strings.Builder
	read int // bytes of answers
}

func start(t testing.TB, s step) *machine {
	m := &machine{step: s}
	m.server = fakeapi.New(fakeapi.Options{BookmarkInterval: time.Hour})
	m.ctx, m.stop = context.WithCancel(t.Context())
	t.Cleanup(func() {
		m.stop()
		m.done.Wait()
		m.server.Close()
	})
	return m
}

// Write takes what the program prints.
func (m *machine) Write(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.out.Write(p)
}

// RoundTrip sends a request of the program to the server, and counts the bytes that come back.
func (m *machine) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := m.server.Client().Transport.RoundTrip(request)
	if err == nil {
		response.Body = body{response.Body, m}
	}
	return response, err
}

type body struct {
	io.ReadCloser
	machine *machine
}

func (b body) Read(p []byte) (n int, err error) {
	n, err = b.ReadCloser.Read(p)
	b.machine.mu.Lock()
	defer b.machine.mu.Unlock()
	b.machine.read += n
	return n, err
}

// State returns what the program has printed since the last command.
func (m *machine) State() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer m.out.Reset()
	return m.out.String()
}

func (m *machine) Do(c story.Command) error {
	switch c.Name {
	case "run":
		return m.begin(c)
	case "stop":
		m.stop()
	case "cost":
		fmt.Fprintf(m, "%d requests, %d KB\n", m.server.Requests("", ""), m.read/1000)
	case "cut":
		m.server.DropConnections()
	case "compact":
		m.server.Compact()
	case "create", "update", "delete":
		return m.write(c)
	default:
		return c.Unknown()
	}
	return nil
}

// begin starts the program with flags: run slow=3s. A flag that a step does not have yet changes
// nothing there.
func (m *machine) begin(c story.Command) error {
	for _, name := range []string{"slow", "join", "fail", "app"} {
		value := c.Opt(name, "")
		if f := m.step.flags.Lookup(name); f != nil {
			if err := f.Value.Set(cmp.Or(value, f.DefValue)); err != nil {
				return err
			}
		}
	}
	_ = m.step.flags.Set("url", fakeapi.URL+"/apis/workshop.example.dev/v1/namespaces/default/widgets")
	client := &http.Client{Transport: m}
	m.done.Go(func() {
		fmt.Fprintln(m, "the program ends:", m.step.run(m.ctx, client, m))
	})
	return nil
}

// write creates, updates or deletes each named object: create web-1 app=web, update web-1 times=3.
func (m *machine) write(c story.Command) error {
	times, err := strconv.Atoi(c.Opt("times", "1"))
	if err != nil {
		return err
	}
	app := c.Opt("app", "")
	for i, name := range slices.Repeat(c.Args(), times) {
		switch c.Name {
		case "create":
			_, err = m.server.Create("widgets", map[string]any{"metadata": map[string]any{
				"name": name, "namespace": "default", "labels": map[string]string{"app": app}},
				"spec": map[string]string{"notes": strings.Repeat("large ", 1500)}})
		case "update":
			_, err = m.server.Patch("widgets", "default", name, map[string]any{
				"spec": map[string]int{"size": i}})
		case "delete":
			err = m.server.Delete("widgets", "default", name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A goroutine that still sleeps after the context has ended is reported by the bubble. The end
// comes while the step does something else, a thousand times.
func TestEveryGoroutineOfTheLastStepsEndsWithTheContext(t *testing.T) {
	client := &http.Client{Transport: unreachable{}}
	for _, s := range steps[4:] {
		for range 1000 {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(rand.N(time.Second), cancel)
				_ = s.run(ctx, client, io.Discard)
			})
		}
	}
}

// unreachable is a network on which every request fails.
type unreachable struct{}

func (unreachable) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("unreachable")
}
