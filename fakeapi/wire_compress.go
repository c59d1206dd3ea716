package fakeapi

import (
	"bufio"
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

// bufferSize is a compromise: a write of this size costs little more per byte
// than a larger one, and every watcher that is behind has a buffer.
const bufferSize = 16 << 10

// buffers are for lists and for batches of frames.
var buffers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, bufferSize) }}

func getBuffer(w io.Writer) *bufio.Writer {
	b := buffers.Get().(*bufio.Writer)
	b.Reset(w)
	return b
}

// putBuffer returns a buffer to the pool. It is flushed, or its client has disconnected.
func putBuffer(b *bufio.Writer) {
	b.Reset(nil) // or the pool would keep the connection alive
	buffers.Put(b)
}
