package verify

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"example.com/watchglass/fakeapi"
)

// A terminal is where the curl blocks of a page are typed, from the top to the bottom. It has a
// server like the one that go run ./fakeapi/serve -control starts, which begins with the first
// command. It lives in a bubble, so its clock is the same in every run, and a sleep takes no time.
type terminal struct {
	server    *fakeapi.Server
	listener  *fakeapi.PipeListener
	serving   sync.WaitGroup
	transfers []*transfer // the last one first
}

// close ends everything that was started, and waits for it.
func (t *terminal) close() {
	if t.server == nil {
		return
	}
	for _, x := range t.transfers {
		x.conn.Close()
		<-x.done
	}
	t.server.Close()
	t.serving.Wait()
}

// uid matches a UID, which differs from run to run.
var uid = regexp.MustCompile(`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// play types the commands of a block. A line that begins with "$ " is a command; a backslash at its
// end continues it on the next line. The lines from there to the next command are what it prints.
func (t *terminal) play(lines []string) (parts []part) {
	for i := 0; i < len(lines); i++ {
		command, isCommand := strings.CutPrefix(lines[i], "$ ")
		switch {
		case !isCommand && len(parts) == 0:
			return []part{{shown: lines, err: errors.New("the block does not begin with $ and a command")}}
		case !isCommand:
			last := &parts[len(parts)-1]
			last.shown = append(last.shown, lines[i])
			continue
		}
		p := part{typed: slices.Clone(lines[i : i+1])}
		for strings.HasSuffix(command, `\`) && i+1 < len(lines) {
			i++
			p.typed = append(p.typed, lines[i])
			command = strings.TrimSuffix(command, `\`) + strings.TrimSpace(lines[i])
		}
		printed, err := t.enter(command)
		p.want, p.err = [][]string{printedLines(uid.ReplaceAllString(printed, "…"))}, err
		parts = append(parts, p)
	}
	return parts
}

var word = regexp.MustCompile(`'[^']*'|"[^"]*"|[^ ]+`)

// enter carries out a command and returns what the terminal shows: the output of the command, then
// what commands in the background have printed until everything has come to rest.
func (t *terminal) enter(command string) (string, error) {
	if t.server == nil {
		t.server = fakeapi.New(fakeapi.Options{RequireNamespaces: true, Control: true})
		t.listener = fakeapi.NewPipeListener()
		t.serving.Go(func() { _ = t.server.Serve(t.listener) })
	}
	words := word.FindAllString(command, -1)
	for i := range words {
		words[i] = strings.Trim(words[i], `'"`)
	}
	switch {
	case len(words) == 2 && words[0] == "sleep":
		d, err := time.ParseDuration(words[1] + "s")
		if err != nil {
			return "", err
		}
		time.Sleep(d)
	case len(words) > 1 && words[0] == "curl":
		if err := t.curl(words[1:]); err != nil {
			return "", fmt.Errorf("%s: %w", command, err)
		}
	default:
		return "", fmt.Errorf("%s: expected curl or sleep", command)
	}
	synctest.Wait()
	var shown []string
	for _, x := range t.transfers {
		if news := x.news(); news != "" {
			shown = append(shown, news)
		}
	}
	return strings.Join(shown, "\n"), nil
}

// curl sends what the program curl sends with these arguments, and waits for the end of the answer.
// With & as the last argument, the transfer goes on in the background.
func (t *terminal) curl(args []string) error {
	x := &transfer{done: make(chan struct{})}
	r, err := x.parse(args)
	if err != nil {
		return err
	}
	if x.conn, err = t.listener.DialContext(context.Background(), "", ""); err != nil {
		return err
	}
	t.transfers = slices.Insert(t.transfers, 0, x)
	go x.run(r) // close waits for it
	if args[len(args)-1] != "&" {
		<-x.done
	}
	return nil
}

// A transfer is a request on its way, and what has come back.
type transfer struct {
	conn         net.Conn
	include, raw bool          // what is printed: the header as well, the chunks as they are
	done         chan struct{} // closed when the answer has ended
	printed      int           // how much of the output news has returned

	mu   sync.Mutex
	wire []byte // what has come back; guarded by mu
}

// parse makes the request of curl's arguments. It knows those that the pages need.
func (x *transfer) parse(args []string) (*http.Request, error) {
	method, url, body, header := "", "", "", http.Header{"Accept": {"*/*"}}
	header.Set("User-Agent", "curl/8.14.1") // so the server indents its answers
	for i := 0; i < len(args); i++ {
		value := args[min(i+1, len(args)-1)]
		switch args[i] {
		case "-X":
			method = value
			i++
		case "--json":
			header.Set("Content-Type", "application/json")
			header.Set("Accept", "application/json")
			body = value
			i++
		case "--raw":
			x.raw = true
		case "-s", "-sN", "-N", "&": // output is never buffered here, and no progress is shown
		case "-si", "-siN", "-i":
			x.include = true
		default:
			if url != "" || strings.HasPrefix(args[i], "-") {
				return nil, fmt.Errorf("cannot run curl with %q here", args[i])
			}
			url = args[i]
		}
	}
	if method == "" && body != "" {
		method = http.MethodPost
	}
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err == nil {
		r.Header = header
	}
	return r, err
}

// run ends when the answer does, or when the connection is closed.
func (x *transfer) run(r *http.Request) {
	defer close(x.done)
	if r.Write(x.conn) == nil {
		_ = bodyOf(io.TeeReader(x.conn, x), r)
	}
}

// Write implements io.Writer. It keeps what comes back.
func (x *transfer) Write(p []byte) (int, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.wire = append(x.wire, p...)
	return len(p), nil
}

// bodyOf reads an answer. Of one that is cut off, it returns the part before.
func bodyOf(from io.Reader, r *http.Request) string {
	answer, err := http.ReadResponse(bufio.NewReader(from), r)
	if err != nil {
		return ""
	}
	body, _ := io.ReadAll(answer.Body)
	return string(body)
}

// news returns the output since the last call.
func (x *transfer) news() string {
	x.mu.Lock()
	wire := string(x.wire)
	x.mu.Unlock()
	head, rest, _ := strings.Cut(wire, "\r\n\r\n")
	all := bodyOf(strings.NewReader(wire), nil)
	if x.raw {
		all = rest
	}
	if x.include {
		all = head + "\r\n\r\n" + all
	}
	news := all[min(x.printed, len(all)):]
	x.printed = len(all)
	return strings.TrimSuffix(news, "\n")
}
