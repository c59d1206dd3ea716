package verify

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// A curlRequest is what the arguments of curl ask for.
type curlRequest struct {
	method, path, host string
	headers            http.Header
	body               string
	include            bool // -i: print the status line and the headers as well
	raw                bool // --raw: print the chunks of the body as they are on the wire
}

// parseCurl reads the arguments of curl. It knows the few flags that the pages need.
func parseCurl(args []string) (r curlRequest, err error) {
	r.headers = http.Header{"Accept": {"*/*"}}
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if takesValue(arg) {
			if len(args) == 0 {
				return r, fmt.Errorf("the flag %s needs a value", arg)
			}
			if err := r.set(arg, args[0]); err != nil {
				return r, err
			}
			args = args[1:]
			continue
		}
		if err := r.flagOrURL(arg); err != nil {
			return r, err
		}
	}
	if r.host == "" {
		return r, errors.New("there is no URL")
	}
	if r.method == "" {
		r.method = http.MethodGet
	}
	return r, nil
}

func takesValue(arg string) bool {
	return arg == "-X" || arg == "-H" || arg == "-d" || arg == "--json"
}

func (r *curlRequest) set(arg, value string) error {
	switch arg {
	case "-X":
		r.method = value
		return nil
	case "-H":
		name, content, ok := strings.Cut(value, ":")
		if !ok {
			return fmt.Errorf("-H %q is not a header: expected name: value", value)
		}
		r.headers.Set(name, strings.TrimSpace(content))
		return nil
	case "--json":
		r.headers.Set("Content-Type", "application/json")
		r.headers.Set("Accept", "application/json")
	case "-d":
		if r.headers.Get("Content-Type") == "" {
			r.headers.Set("Content-Type", "application/x-www-form-urlencoded")
		}
	}
	r.body = value
	if r.method == "" {
		r.method = http.MethodPost
	}
	return nil
}

func (r *curlRequest) flagOrURL(arg string) error {
	switch {
	case arg == "--raw":
		r.raw = true
		return nil
	case strings.HasPrefix(arg, "-"):
		for _, letter := range arg[1:] {
			switch letter {
			case 'N', 's': // output is never buffered here, and there is no progress meter
			case 'i':
				r.include = true
			default:
				return fmt.Errorf("the flag %s is not known here; known are -N -s -i -X -H -d --json --raw",
					arg)
			}
		}
		return nil
	}
	u, err := url.Parse(arg)
	if err != nil || u.Scheme != "http" || u.Host == "" {
		return fmt.Errorf("%q is not a URL: expected one like http://127.0.0.1:8001/api/v1/pods", arg)
	}
	r.host, r.path = u.Host, u.RequestURI()
	return nil
}

// write sends the request as curl does. Its User-Agent makes the server indent the answers.
func (r *curlRequest) write(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: curl/8.14.1\r\n", r.method, r.path, r.host)
	if r.body != "" {
		r.headers.Set("Content-Length", strconv.Itoa(len(r.body)))
	}
	_ = r.headers.Write(&b) // a buffer takes everything
	b.WriteString("\r\n" + r.body)
	_, err := w.Write(b.Bytes())
	return err
}
