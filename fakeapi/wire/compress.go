package wire

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"sync"
)

// gzipAbove is the size in bytes above which an answer is compressed for clients
// that accept it.
const gzipAbove = 128 << 10

// acceptsGzip returns true only for the bare word, in a list or alone: a "gzip;q=1"
// is not understood by the real server either.
func acceptsGzip(r *http.Request) bool {
	for coding := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		if strings.TrimSpace(coding) == "gzip" {
			return true
		}
	}
	return false
}

// compress begins the body of an answer of about size bytes. If the answer is large
// enough and the client accepts it, out compresses what is written to it, and buffers
// only what compression needs. end has to be called after the last byte. The header
// must not have been sent yet.
func compress(w http.ResponseWriter, r *http.Request, size int) (out io.Writer, end func()) {
	if size <= gzipAbove || !acceptsGzip(r) {
		return w, func() {}
	}
	w.Header().Set("Content-Encoding", "gzip")
	w.Header().Add("Vary", "Accept-Encoding")
	z := compressors.Get().(*gzip.Writer)
	z.Reset(w)
	return z, func() {
		_ = z.Close() // fails only if the client has disconnected
		z.Reset(io.Discard)
		compressors.Put(z)
	}
}

// compressors are kept because each has a megabyte of tables.
var compressors = sync.Pool{New: func() any {
	z, err := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level is one of gzip's own
	}
	return z
}}
