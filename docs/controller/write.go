package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"example.com/watchglass/reflector"
)

// collection is the path of all widgets on a server.
const collection = "/apis/workshop.example.dev/v1/widgets"

const (
	writeTimeout = 10 * time.Second // otherwise a server that never answers would keep a worker
	answerLimit  = 4 << 20          // bytes; an API server stores objects of 1.5 MiB at most
)

// putStatus writes the status of a widget over HTTP and returns the resourceVersion of the write.
// It sends the widget's own resourceVersion along: if the server holds a newer state, it refuses
// with 409 Conflict. A refusal is a *reflector.StatusError. After any other error, the status may
// have been written and the answer lost; the cache will show it.
func (c *controller) putStatus(ctx context.Context, w *Widget) (version string, err error) {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	body, err := json.Marshal(w)
	if err != nil {
		return "", err
	}
	request, err := http.NewRequestWithContext(
		ctx, http.MethodPut, c.statusURL(w), bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.client.Do(request)
	if err != nil {
		return "", err // it names method and URL
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, answerLimit))
	if err != nil {
		return "", fmt.Errorf("put %s: read the answer: %w", request.URL, err)
	}
	if response.StatusCode != http.StatusOK {
		return "", refusal(response, answer)
	}
	var written Widget
	if err := json.Unmarshal(answer, &written); err != nil {
		return "", fmt.Errorf("put %s: the answer is no widget: %w", request.URL, err)
	}
	return written.ResourceVersion, nil
}

// statusURL returns the URL of a widget's status. It names the widget's namespace, which the path
// of the collection does not.
func (c *controller) statusURL(w *Widget) string {
	return c.server + "/apis/workshop.example.dev/v1/namespaces/" + url.PathEscape(w.Namespace) +
		"/widgets/" + url.PathEscape(w.Name) + "/status"
}

// refusal is the error for a response other than 200. Its body is a meta/v1 Status, or anything
// else if a proxy has answered.
func refusal(response *http.Response, answer []byte) error {
	e := &reflector.StatusError{Code: response.StatusCode}
	var status struct{ Reason, Message string }
	if json.Unmarshal(answer, &status) == nil {
		e.Reason, e.Message = status.Reason, status.Message
	}
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if err == nil && seconds > 0 {
		e.RetryAfter = time.Duration(min(seconds, 24*60*60)) * time.Second
	}
	return e
}
