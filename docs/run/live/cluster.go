package main

import (
	"fmt"
	"os"
	"strings"

	"example.com/watchglass/reflector/cluster"
	"example.com/watchglass/reflector/wire"
)

// newRealMachine makes a machine that watches a collection of a real API server. It sends lists and
// watches, and nothing else. Nothing is sent yet.
func newRealMachine(seen *collector, o options) (*machine, error) {
	client, err := o.collection()
	if err != nil {
		return nil, err
	}
	m, err := newMachine(seen, o.queue, client)
	if err != nil {
		return nil, err
	}
	m.server, m.stream = client.URL, o.stream
	m.renew()
	return m, nil
}

// collection says where the collection is, and how to get there.
func (o options) collection() (wire.ClientOptions, error) {
	if o.kubeconfig != "" {
		c, err := cluster.LoadKubeconfig(o.kubeconfig, o.context)
		if err != nil {
			return wire.ClientOptions{}, err
		}
		return wire.ClientOptions{URL: c.URL(o.resource), HTTPClient: c.HTTPClient}, nil
	}
	client, err := cluster.NewHTTPClient(
		cluster.Options{CAFile: o.caFile, TokenFile: o.tokenFile})
	if err != nil {
		return wire.ClientOptions{}, fmt.Errorf("-ca-file: %w", err)
	}
	if o.tokenFile != "" {
		text, err := os.ReadFile(o.tokenFile)
		if err != nil {
			return wire.ClientOptions{}, fmt.Errorf("-token-file: %w", err)
		}
		if strings.TrimSpace(string(text)) == "" {
			return wire.ClientOptions{}, fmt.Errorf("-token-file: %s is empty", o.tokenFile)
		}
	}
	return wire.ClientOptions{
		URL: strings.TrimRight(o.server, "/") + o.resource, HTTPClient: client}, nil
}

// observe makes what the page of a real cluster shows when it opens: two handlers, and an informer
// that runs.
func (m *machine) observe() error {
	for _, name := range []string{"fast", "slow"} {
		if err := m.addHandler(name, handlerOptions{}); err != nil {
			return err
		}
	}
	m.start()
	return nil
}
