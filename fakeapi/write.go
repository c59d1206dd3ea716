package fakeapi

import (
	"cmp"
	"net/http"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/registry"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/wire"
)

// create carries out POST, and returns the new object.
func (s *Server) create(w http.ResponseWriter, req *request) (*object.Document, error) {
	d, err := s.readWrite(w, req, wire.JSON)
	if err != nil {
		return nil, err
	}
	decode := func() (object.Tree, error) {
		t, warnings, err := object.Decode(req.typ, d.body, d.options.Fields)
		wire.Warn(w, warnings) // also if the request is refused
		if err == nil {
			wire.Warn(w, object.FinalizerWarnings(req.typ, nil, t))
			wire.Warn(w, object.OwnerWarnings(t, ""))
			err = object.FitNamespace(t, req.namespace)
		}
		return t, err
	}
	return req.collection.Create(req.http.Context(), len(d.body), decode, d.options.DryRun)
}

// A writeRequest is a write as the client sends it: a body of an accepted type, and options.
type writeRequest struct {
	req      *request
	media    string
	body     []byte
	options  registry.WriteOptions
	warnings []string // warnings about the body, sent even if the write is refused
}

func (s *Server) readWrite(w http.ResponseWriter, req *request, accepted ...string) (
	d *writeRequest, err error) {
	d = &writeRequest{req: req}
	if d.media, err = wire.MediaType(req.http, accepted...); err != nil {
		return nil, err
	}
	if d.body, err = wire.ReadBody(w, req.http); err != nil {
		return nil, err
	}
	d.options, err = registry.ParseWriteOptions(req.verb, req.query)
	return d, err
}

// change carries out PUT and PATCH, of an object, of its status and of its scale, and returns
// the object.
func (s *Server) change(w http.ResponseWriter, req *request) (*object.Document, error) {
	accepted := []string{wire.JSON}
	if req.verb == object.VerbPatch {
		accepted = patchTypes(req.typ)
	}
	d, err := s.readWrite(w, req, accepted...)
	if err != nil {
		return nil, err
	}
	doc, err := req.collection.Update(req.http.Context(), d.update())
	wire.Warn(w, d.warnings)
	return doc, err
}

// update returns the request as the registry carries it out.
func (d *writeRequest) update() registry.Update {
	u := registry.Update{Namespace: d.req.namespace, Name: d.req.name,
		Subresource: d.req.subresource, DryRun: d.options.DryRun, Size: len(d.body),
		Change: d.replacement}
	if d.req.verb == object.VerbPatch {
		u.Patch, u.Change = true, d.patched
	}
	if u.Subresource == object.SubScale {
		u.Subresource = "" // a scale changes the object
	}
	return u
}

// An edit makes the new state of an object from the present one, which it may alter.
type edit func(present object.Tree) (object.Tree, error)

// replacement returns what a PUT makes: its body, whatever the present state is.
func (d *writeRequest) replacement(present object.Tree) (object.Tree, error) {
	if d.req.subresource == object.SubScale {
		t, err := object.DecodeTree(d.body)
		if err != nil {
			return nil, status.BadRequest("%v", err)
		}
		return d.req.scaled(present, func(object.Tree) (object.Tree, error) {
			return t, object.FitName(t, d.req.name)
		})
	}
	t, warnings, err := object.Decode(d.req.typ, d.body, d.options.Fields)
	if err != nil {
		return nil, err
	}
	err = cmp.Or(object.FitName(t, d.req.name), object.FitNamespace(t, d.req.namespace))
	if err != nil {
		return nil, err
	}
	d.warnings = warnings
	d.warn(present, t, "")
	return t, nil
}

// warn warns of the new metadata. A write of the status changes no finalizers. where says where
// the owners were found.
func (d *writeRequest) warn(present, t object.Tree, where string) {
	if d.req.subresource == "" {
		d.warnings = append(d.warnings, object.FinalizerWarnings(d.req.typ, present, t)...)
	}
	d.warnings = append(d.warnings, object.OwnerWarnings(t, where)...)
}

// delete answers DELETE of one object.
func (s *Server) delete(w http.ResponseWriter, req *request) error {
	o, err := s.deleteOptions(w, req)
	if err != nil {
		return err
	}
	d, gone, err := req.collection.Remove(req.http.Context(),
		registry.Removal{Namespace: req.namespace, Name: req.name, DeleteOptions: o})
	switch {
	case err != nil:
		return err
	case gone && !req.typ.IsPod():
		wire.Answer(w, req.http, http.StatusOK, status.Deleted(req.typ.About(d.Name), d.UID).Encode())
		return nil
	}
	code := http.StatusOK
	if !gone && o.Orphan != nil && !*o.Orphan {
		code = http.StatusAccepted // so only for the older way to ask for it
	}
	s.answerObject(w, req, code, d)
	return nil
}

// deleteOptions reads the options of a deletion from the body or, without one, from the query.
func (s *Server) deleteOptions(w http.ResponseWriter, req *request) (
	o registry.DeleteOptions, err error) {
	body, err := wire.ReadBody(w, req.http)
	if err != nil {
		return o, err
	}
	if len(body) > 0 {
		if _, err = wire.MediaType(req.http, wire.JSON); err != nil {
			return o, err
		}
	}
	err = s.registry.Turns.Do(req.http.Context(), len(body), func() (err error) {
		o, err = registry.ParseDeleteOptions(req.query, body)
		return err
	})
	return o, err
}

// deleteCollection answers DELETE of a collection: it deletes what a list with
// the same parameters shows, one object after the other, and answers that list.
func (s *Server) deleteCollection(w http.ResponseWriter, req *request) error {
	o, err := s.deleteOptions(w, req) // first: a list keeps its objects alive
	if err != nil {
		return err
	}
	p, next, err := s.readList(req)
	if err != nil {
		return err
	}
	for _, d := range p.Docs {
		_, _, err := req.collection.Remove(req.http.Context(),
			registry.Removal{Namespace: d.Namespace, Name: d.Name, DeleteOptions: o})
		if err != nil && status.Of(err).Code != http.StatusNotFound {
			return err
		}
	}
	defer s.limitAnswer(w, req.collection)()
	return writeList(w, req, p, next)
}
