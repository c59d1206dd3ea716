package fakeapi

import (
	"bufio"
	"bytes"
	"net/http"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/wire"
)

// writeList answers with a page in the form that the client wants. The documents' bytes
// go to the client as they are stored, through a buffer of fixed size, so that the
// answer needs no more memory for a longer list. Tables and indented JSON, which are for
// people, are built in memory first.
func (s *Server) writeList(w http.ResponseWriter, q *request, p object.Page, next string) error {
	if err := q.form.Fits(true); err != nil {
		return err
	}
	if q.form.IsTable() || wire.IsPretty(q.http) {
		var b bytes.Buffer
		q.form.List(&b, p, next)
		wire.Answer(w, q.http, http.StatusOK, bytes.TrimSuffix(b.Bytes(), []byte("\n")))
		return nil
	}
	wire.Stream(w, q.http, p.Size(), func(out *bufio.Writer) { q.form.List(out, p, next) })
	return nil
}
