package verify

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"example.com/watchglass/fakeapi"
)

// A terminal is where the commands of a page are typed: a server like the one that
// go run ./fakeapi/serve -control starts, and the commands that run in the background. It lives in
// a bubble, so its clock is the same in every run and sleeping takes no time.
type terminal struct {
	server   *fakeapi.Server
	listener *fakeapi.PipeListener
	serving  sync.WaitGroup
	jobs     []*transfer
}

func openTerminal() *terminal {
	t := &terminal{
		server:   fakeapi.New(fakeapi.Options{RequireNamespaces: true, Control: true}),
		listener: fakeapi.NewPipeListener(),
	}
	t.serving.Go(func() { _ = t.server.Serve(t.listener) })
	return t
}

// close ends the server and waits for everything that was started.
func (t *terminal) close() {
	for _, job := range t.jobs {
		job.interrupt()
	}
	t.server.Close()
	t.serving.Wait()
}

// enter carries out a command and returns what the terminal shows: the output of the command, then
// what the commands in the background have printed until everything has come to rest.
func (t *terminal) enter(command string, interrupted bool) (string, error) {
	words, err := shellWords(command)
	if err != nil {
		return "", err
	}
	var shown string
	switch {
	case len(words) == 2 && words[0] == "sleep":
		seconds, err := strconv.Atoi(words[1])
		if err != nil {
			return "", fmt.Errorf("sleep %s: expected whole seconds", words[1])
		}
		time.Sleep(time.Duration(seconds) * time.Second)
	case len(words) > 1 && words[0] == "curl":
		if shown, err = t.curl(words[1:], interrupted); err != nil {
			return "", fmt.Errorf("%s: %w", command, err)
		}
	default:
		return "", fmt.Errorf("%q cannot be run here: expected curl or sleep", command)
	}
	synctest.Wait()
	for _, job := range t.jobs {
		shown = onLines(shown, job.news())
	}
	return shown, nil
}

// curl does what the program curl does with these arguments. With & as the last one, the transfer
// goes on in the background.
func (t *terminal) curl(args []string, interrupted bool) (string, error) {
	background := args[len(args)-1] == "&"
	if background {
		args = args[:len(args)-1]
	}
	r, err := parseCurl(args)
	if err != nil {
		return "", err
	}
	conn, err := t.listener.DialContext(context.Background(), "", "")
	if err != nil {
		return "", err
	}
	x := &transfer{curlRequest: r, conn: conn, done: make(chan struct{})}
	go x.run() // interrupt waits for it: below, or in close
	switch {
	case background:
		t.jobs = append(t.jobs, x)
		return "", nil
	case interrupted:
		synctest.Wait()
		shown := x.news()
		x.interrupt()
		return onLines(shown, "^C"), nil
	}
	<-x.done
	x.interrupt()
	return x.news(), nil
}

// onLines puts b below a.
func onLines(a, b string) string {
	if a != "" && b != "" && !strings.HasSuffix(a, "\n") {
		a += "\n"
	}
	return a + b
}

// shellWords splits a command like a shell, as long as it has only plain quotes.
func shellWords(command string) (words []string, err error) {
	var word strings.Builder
	quote, inWord := rune(0), false
	for _, c := range command {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, inWord = c, true
		case quote == 0 && c == ' ':
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(c)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("%s: the quote %c does not end", command, quote)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// A transfer is a request on its way.
type transfer struct {
	curlRequest
	conn net.Conn
	done chan struct{} // closed when the answer has ended

	mu      sync.Mutex
	wire    bytes.Buffer // everything that came over the connection
	body    bytes.Buffer // the same without headers and chunk sizes
	printed int          // how much of the output news has returned
}

// run ends when the answer does, or when the connection is closed.
func (x *transfer) run() {
	defer close(x.done)
	if x.write(x.conn) != nil {
		return
	}
	in := bufio.NewReader(io.TeeReader(x.conn, locked{x, &x.wire}))
	answer, err := http.ReadResponse(in, &http.Request{Method: x.method})
	if err != nil {
		return
	}
	_, _ = io.Copy(locked{x, &x.body}, answer.Body) // if it is cut off, the part before is shown
}

// interrupt ends the transfer and waits for its end.
func (x *transfer) interrupt() {
	_ = x.conn.Close()
	<-x.done
}

// news is the output since the last call.
func (x *transfer) news() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	head, rest, _ := bytes.Cut(x.wire.Bytes(), []byte("\r\n\r\n"))
	var all string
	if x.include {
		all = string(head) + "\r\n\r\n"
	}
	if x.raw {
		all += string(rest)
	} else {
		all += x.body.String()
	}
	news := all[min(x.printed, len(all)):]
	x.printed = len(all)
	return news
}

// locked writes to a buffer of a transfer under its lock.
type locked struct {
	x *transfer
	b *bytes.Buffer
}

// Write implements io.Writer.
func (l locked) Write(p []byte) (int, error) {
	l.x.mu.Lock()
	defer l.x.mu.Unlock()
	return l.b.Write(p)
}
