package main

import (
	"context"
	"flag"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	step7 "example.com/watchglass/docs/grow/7"
	"example.com/watchglass/docs/tools/repo"
	push "example.com/watchglass/docs/workshop/3_1_push"
	process "example.com/watchglass/docs/workshop/6_1_process"
	"example.com/watchglass/docs/workshop/exercise"
	"example.com/watchglass/fakeapi"
)

// A seam is a place where an exercise is called, or that says which exercise it is there for.
var seam = regexp.MustCompile(`\b(frames|outcome|backoff|push|missing|synced|keys|diff|pump|process)\.[A-Z]|` +
	`\b(1\.2|2\.1|2\.2|3\.1|3\.2|3\.3|4\.1|4\.2|5\.2|6\.1)\b`)

func TestThePipeDiffersFromStep7OnlyWhereAnExerciseHasAPlace(t *testing.T) {
	before, now := declarations(t, "../../grow/7/informer.go"), declarations(t, "informer.go")
	for name, text := range now {
		if before[name] != text {
			assert.Regexp(t, seam, text, "%s is not as in step 7, and names no exercise", name)
		}
	}
	gone := maps.Clone(before)
	maps.DeleteFunc(gone, func(name, _ string) bool { return now[name] != "" })
	assert.Equal(t, []string{"call", "delta", "errGone"}, slices.Sorted(maps.Keys(gone)),
		"only these are gone: a text goes through the pump, 3.1 has its own delta, 2.1 decides after a "+
			"410")
	same := 0
	for name, text := range before {
		if now[name] == text {
			same++
		}
	}
	assert.Greater(t, same, len(before)/3, "what no exercise is part of stays as it is")
}

// declarations returns the text of each declaration of a file with its comment, by its name.
func declarations(t *testing.T, file string) map[string]string {
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, source, parser.ParseComments)
	require.NoError(t, err)
	texts := map[string]string{}
	end := 0
	for _, d := range parsed.Decls {
		begin := end // of what stands above it, too
		end = files.Position(d.End()).Offset
		text := strings.TrimSpace(string(source[begin:end]))
		for _, name := range repo.Names(d) {
			if !name.Member {
				texts[name.Text] = text
			}
		}
	}
	return texts
}

func TestWhatStep7TellsItsHandlersThePipeTellsThem(t *testing.T) {
	if os.Getenv("PIPE") == "" {
		t.Skip("TODO  it needs all exercises, or their solutions")
	}
	t.Cleanup(exercise.Limit(t.Name(), ""))
	before := lived(t, step7.Flags,
		func(ctx context.Context, client *http.Client, out *printer) error {
			return step7.Run(ctx, client, out)
		})
	assert.Regexp(t, `(?s)failed\n.*again db-1@4\n.*second: added web-3.*first: deleted web-1`, before)
	now := lived(t, Flags, Run)
	for from, to := range map[string]string{
		`:(web|db)\b`: "", "default/": "", "OnAdd ": "added ", `OnUpdate \S+ `: "updated ",
		`OnDelete (\(tombstone\) )?`: "deleted ",
	} {
		now = regexp.MustCompile(from).ReplaceAllString(now, to)
	}
	assert.Equal(t, before, now)
}

// lived returns what the handlers of a program print in a life with all that step 7 can do.
func lived(
	t *testing.T, flags *flag.FlagSet, run func(context.Context, *http.Client, *printer) error,
) string {
	require.NoError(t, flags.Parse([]string{"-url", fakeapi.URL + path,
		"-fail=1", "-app", "-slow=2s", "-join=90s", "-resync=1m"}))
	defer func() {
		require.NoError(t,
			flags.Parse([]string{"-fail=0", "-app=false", "-slow=0", "-join=0"}))
	}()
	var out strings.Builder
	synctest.Test(t, func(t *testing.T) {
		server := fakeapi.New(fakeapi.Options{})
		defer server.Close()
		s := &scenes{printer: &printer{out: &out, began: time.Now()}, server: server}
		s.create("web-1", "web")
		s.create("web-2", "web")
		s.create("db-1", "db")
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { _ = run(ctx, server.Client(), s.printer) })
		time.Sleep(70 * time.Second) // until a resync has told of db-1 again
		s.move("web-2", "db")
		s.create("web-3", "db")
		time.Sleep(30 * time.Second)
		server.DropConnections()
		s.remove("web-1")
		server.Compact()
		time.Sleep(15 * time.Second)
		s.move("web-3", "web")
		time.Sleep(time.Second)
		stop() // while the first handler is at work
		running.Wait()
	})
	told := regexp.MustCompile(`(first|second): .*|  of the same app: .*`)
	return strings.Join(told.FindAllString(out.String(), -1), "\n")
}

func TestAHandlerThatJoinsAtTheEndIsEndedToo(t *testing.T) {
	if os.Getenv("PIPE") == "" {
		t.Skip("TODO  it needs all exercises, or their solutions")
	}
	require.NoError(t, Flags.Parse([]string{"-join=1s"}))
	defer func() { require.NoError(t, Flags.Parse([]string{"-join=0"})) }()
	for range 500 { // a goroutine that is left over is reported by the bubble
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			isDown := &network{}
			isDown.down.Store(true)
			_ = Run(ctx, &http.Client{Transport: isDown}, &printer{out: io.Discard})
		})
	}
}

func TestAListIsComparedWithTheQueueToo(t *testing.T) {
	if os.Getenv("PIPE") == "" {
		t.Skip("TODO  it needs all exercises, or their solutions")
	}
	i := &informer{out: &printer{out: io.Discard}, known: process.Cache{"a": "a@1:web"}}
	i.more, i.queue.Items = sync.NewCond(&i.mu), map[string][]push.Delta{}
	i.push("a", push.Delta{Type: "Updated", State: "a@2:web"})
	i.push("b", push.Delta{Type: "Added", State: "b@3:web"})
	require.NoError(t, i.replace(list{}))
	for name, state := range map[string]string{"a": "a@2:web", "b": "b@3:web"} {
		waiting := i.queue.Items[name]
		require.Len(t, waiting, 2, name)
		assert.Equal(t, push.Delta{Type: "Deleted", State: state, Tombstone: true}, waiting[1],
			"the queued state is the newer one")
	}
}
