package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/docs/tools/words"
	"example.com/watchglass/reflector"
)

// usual is where the page is served without -addr, if the port is free.
const usual = "127.0.0.1:8098"

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // one sentence on standard error says why
	exitMisuse = 2 // the same, about the flags
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program: it serves until ctx is done, and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return complain(stderr, err, exitMisuse)
	}
	if o.export != "" {
		return export(o, stdout, stderr)
	}
	if err := live(ctx, o, stdout); err != nil {
		return complain(stderr, err, exitFailed)
	}
	return exitOK
}

// complain prints the error in one line, even if its text has several, and returns code.
func complain(stderr io.Writer, err error, code int) int {
	_, _ = fmt.Fprintln(stderr, "live:", strings.Join(strings.Fields(err.Error()), " "))
	return code
}

// live runs the machine and serves the page until ctx is done.
func live(ctx context.Context, o options, stdout io.Writer) error {
	listener, err := program.Listen(o.addr, usual)
	if err != nil {
		return err
	}
	defer listener.Close()
	source := newLines()
	defer source.close()
	m, err := o.machine(newCollector(source, maxHeld))
	if err != nil {
		return err
	}
	defer m.close()
	p := &page{run: newRun(), seen: m.seen, machine: m}
	switch {
	case o.story != "":
		p.player, err = readStory(m, o.story, m.seen.quiet)
	case m.api == nil:
		err = m.observe()
	default:
		p.class = newClassroom(source, itself)
		err = m.furnish()
	}
	if err != nil {
		return err
	}
	return program.Serve(ctx, listener, p.handler(), stdout)
}

// machine makes the machine that the flags ask for.
func (o options) machine(seen *collector) (*machine, error) {
	if o.server == "" && o.kubeconfig == "" {
		return newFakeMachine(seen, o.queue, o.stream)
	}
	return newRealMachine(seen, o)
}

// furnish makes what the page shows when it opens: two handlers, three objects, and an informer
// that runs.
func (m *machine) furnish() error {
	for _, name := range handlerNames[:2] {
		if err := m.addHandler(name, handlerOptions{}); err != nil {
			return err
		}
	}
	for _, name := range []string{"db-1", "web-1", "web-2"} {
		if err := m.create(name, "red"); err != nil {
			return err
		}
	}
	m.start()
	return nil
}

// meta describes the machine to the page.
func (m *machine) meta() Meta {
	m.mu.Lock()
	defer m.mu.Unlock()
	meta := Meta{
		Stages: []string{words.API, words.Wire, words.Reflector, words.Queue, words.Cache,
			words.Processor, "handlers"},
		Buttons:  buttonsFor(m.api == nil),
		ReadOnly: m.api == nil, Server: m.server, Queue: m.kind,
	}
	meta.describe(reflector.Table(!m.stream))
	return meta
}

// describe lists the reflector's states, in the order of their constants, and its transitions.
func (m *Meta) describe(table []reflector.Transition) {
	states := []reflector.State{reflector.Stopped} // to which no row leads
	for _, row := range table {
		states = append(states, row.From, row.To)
		m.Table = append(m.Table, step(row))
	}
	slices.Sort(states)
	for _, s := range slices.Compact(states) {
		m.States = append(m.States, s.String())
	}
}
