package client

import (
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
)

// roundTrip sends a request, and decodes the answer into a new object, which must be what was
// wanted; nil drops it.
func roundTrip(
	client *http.Client, request *http.Request, answer watchglass.Object, want wanted,
) error {
	response, err := client.Do(request)
	if err != nil {
		return explain(request, err)
	}
	defer response.Body.Close()
	last := response.Request // nil if a transport does not set it
	switch err = check(response); {
	case last != nil && last.Method != request.Method: // net/http makes this of a redirected write
		err = fmt.Errorf("it was redirected and became a %s of %s: want the URL of the server itself",
			last.Method, beginning(last.URL.Redacted(), quoted))
	case err != nil:
	case answer != nil:
		err = decode(response.Body, answer, want)
	default: // HTTP/1.1 needs a new connection after an answer that was not read
		_, _ = io.CopyN(io.Discard, response.Body, reflector.ObjectLimit)
	}
	return explain(request, err)
}

// explain adds method and URL to err, in place of what http.Client adds, and what is known of a
// write that was not refused. nil stays nil.
func explain(request *http.Request, err error) error {
	if err == nil {
		return nil
	}
	err = withoutURL(err)
	_, isRefused := errors.AsType[*reflector.StatusError](err)
	broken, ofNetwork := errors.AsType[*net.OpError](err)
	isSent := !isRefused && !(ofNetwork && broken.Op == "dial")
	if request.Method != http.MethodGet && isSent {
		err = fmt.Errorf("the server may have carried it out: %w", err)
	}
	return fmt.Errorf("%s %s: %w", request.Method, request.URL.Redacted(), err)
}

// withoutURL returns the cause of what http.Client says of a request.
func withoutURL(err error) error {
	e, ok := err.(*url.Error)
	switch _, untrusted := errors.AsType[*tls.CertificateVerificationError](err); {
	case !ok:
		return err
	case untrusted: // its type matters, and its text names only what is in the certificate
		return e.Err
	}
	return shortened(e.Err)
}

// decode reads an answer that is one object.
func decode(body io.Reader, answer watchglass.Object, want wanted) error {
	text, err := io.ReadAll(io.LimitReader(body, reflector.ObjectLimit+1))
	if err != nil {
		return fmt.Errorf("read the answer: %w", shortened(err))
	}
	if len(text) > reflector.ObjectLimit {
		return &reflector.TooLargeError{What: "answer", Limit: reflector.ObjectLimit}
	}
	err = json.Unmarshal(text, answer)
	switch {
	case err != nil:
	case answer.GetName() == "":
		err = fmt.Errorf("want an object with a metadata.name, have one that begins %.60q", text)
	default:
		err = want.check(answer)
	}
	if err != nil {
		return &reflector.DecodeError{What: "answer", Err: shortened(err)}
	}
	return nil
}
