package main

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"

	"example.com/watchglass/reflector"
)

// explain says in one sentence what is wrong between us and the server, and what may help.
func explain(err error, o options) error {
	if status, ok := errors.AsType[*reflector.StatusError](err); ok {
		return explainStatus(status, o)
	}
	if garbage, ok := errors.AsType[*reflector.DecodeError](err); ok {
		return fmt.Errorf("%s does not answer as the collection %s of a Kubernetes API server would: %w",
			o.server, o.resource, garbage)
	}
	if text := explainConnection(err); text != "" {
		return fmt.Errorf("cannot reach %s: %s", o.server, text)
	}
	return fmt.Errorf("cannot watch: %w", err)
}

func explainStatus(e *reflector.StatusError, o options) error {
	switch {
	case e.Code == http.StatusUnauthorized && o.tokenFile == "":
		return fmt.Errorf("%s wants to know who asks (401 Unauthorized): give it a token with "+
			"-token-file, or go through kubectl proxy", o.server)
	case e.Code == http.StatusUnauthorized:
		return fmt.Errorf("%s does not accept the token in %s (401 Unauthorized)", o.server, o.tokenFile)
	case e.Code == http.StatusForbidden:
		return fmt.Errorf("%s does not let you list and watch %s (403 Forbidden): %s",
			o.server, o.resource, e.Message)
	case e.Code == http.StatusNotFound:
		return fmt.Errorf("%s has no %s (404 Not Found): -resource is the path of a collection, such "+
			"as /api/v1/pods or /apis/apps/v1/deployments", o.server, o.resource)
	case strings.Contains(e.Message, "HTTP request to an HTTPS server"):
		return fmt.Errorf("%s speaks TLS: begin the URL of -server with https", o.server)
	}
	return fmt.Errorf("%s refuses to list and watch %s: %w", o.server, o.resource, e)
}

// explainConnection returns "" for an error that is not about the connection.
func explainConnection(err error) string {
	unknown, isUnknown := errors.AsType[x509.UnknownAuthorityError](err)
	name, isName := errors.AsType[x509.HostnameError](err)
	dns, isDNS := errors.AsType[*net.DNSError](err)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nobody listens there (connection refused)"
	case isDNS:
		return fmt.Sprintf("the name %s cannot be resolved", dns.Name)
	case isUnknown:
		return fmt.Sprintf("its certificate is signed by nobody we trust (%v): give the CA's with "+
			"-ca-file", unknown)
	case isName:
		return fmt.Sprintf("its certificate is for another name (%v)", name)
	case strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return "it does not speak TLS: begin the URL of -server with http"
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return "it does not answer in time"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "it breaks the connection off"
	}
	return ""
}
