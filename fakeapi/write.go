package fakeapi

import (
	"net/http"

	"example.com/watchglass/fakeapi/object"
	"example.com/watchglass/fakeapi/patch"
	"example.com/watchglass/fakeapi/query"
	"example.com/watchglass/fakeapi/registry"
	"example.com/watchglass/fakeapi/resource"
	"example.com/watchglass/fakeapi/status"
	"example.com/watchglass/fakeapi/wire"
)

// create answers POST.
func (s *Server) create(w http.ResponseWriter, req *request) error {
	_, body, o, err := s.readWrite(w, req, query.CreateOptions, wire.JSON)
	if err != nil {
		return err
	}
	t, flaws, err := object.Decode(req.typ, body, o.Fields)
	if err != nil {
		return err
	}
	wire.Warn(w, flaws)
	if err := fitNamespace(req, t); err != nil {
		return err
	}
	d, err := req.collection.Create(req.http.Context(), req.typ.Kept(t), o.DryRun)
	if err != nil {
		return err
	}
	return s.answerObject(w, req, http.StatusCreated, d)
}

// readWrite reads what all writes have: a body, of one of the accepted types, and options.
func (s *Server) readWrite(w http.ResponseWriter, req *request, options string,
	accepted ...string) (media string, body []byte, o query.Write, err error) {
	if media, err = wire.MediaType(req.http, accepted...); err != nil {
		return "", nil, o, err
	}
	if body, err = wire.ReadBody(w, req.http, s.opts.MaxBody); err != nil {
		return "", nil, o, err
	}
	o, err = query.ParseWrite(options, req.query)
	return media, body, o, err
}

// fitNamespace sets the object's namespace to that of the path. It is an error if the
// object names another one.
func fitNamespace(req *request, t object.Tree) error {
	m := object.MetaOf(t)
	switch ns := m.Text("namespace"); {
	case ns == req.namespace:
	case ns == "":
		m["namespace"] = req.namespace
	default:
		return status.BadRequest("the namespace of the provided object does not match the namespace " +
			"sent on the request")
	}
	return nil
}

// fitName returns an error if an update does not name the object of its path.
func fitName(req *request, t object.Tree) error {
	switch name := object.MetaOf(t).Text("name"); name {
	case req.name:
		return nil
	case "":
		return status.BadRequest("the name of the object (%s based on URL) was undeterminable: "+
			"name must be provided", req.name)
	default:
		return status.BadRequest("the name of the object (%s) does not match the name on the URL (%s)",
			name, req.name)
	}
}

// change answers PUT and PATCH, of an object, of its status and of its scale.
func (s *Server) change(w http.ResponseWriter, req *request) error {
	read := s.readReplacement
	if req.verb == resource.VerbPatch {
		read = s.readPatch
	}
	if req.name == "" {
		return status.BadRequest("name must be provided")
	}
	d, err := read(w, req)
	if err != nil {
		return err
	}
	doc, err := req.collection.Update(req.http.Context(), d.update())
	wire.Warn(w, d.flaws)
	if err != nil {
		return err
	}
	return s.answerObject(w, req, http.StatusOK, doc)
}

// A draft is the change that a request makes to an object: how the new state follows from
// the present one, and the warnings for the client.
type draft struct {
	req     *request
	options query.Write
	flaws   []string // warnings about the body, sent even if the write is refused
	// apply makes the new state. It may alter present.
	apply func(present object.Tree) (object.Tree, error)
}

// update returns the draft as the registry carries it out.
func (d *draft) update() registry.Update {
	sub := d.req.subresource
	if sub == resource.SubScale {
		sub = "" // a scale changes the object
	}
	return registry.Update{Namespace: d.req.namespace, Name: d.req.name, Subresource: sub,
		Patch: d.req.verb == resource.VerbPatch, DryRun: d.options.DryRun, Change: d.change}
}

// change makes the new state. It is called again if another write comes first.
func (d *draft) change(present object.Tree) (object.Tree, error) {
	t, err := d.apply(d.req.typ.Shown(present))
	if err != nil {
		return nil, err
	}
	return d.req.typ.Kept(t), nil
}

// readReplacement returns the draft of a PUT: its body, whatever the present state is.
func (s *Server) readReplacement(w http.ResponseWriter, req *request) (*draft, error) {
	_, body, o, err := s.readWrite(w, req, query.UpdateOptions, wire.JSON)
	if err != nil {
		return nil, err
	}
	d := &draft{req: req, options: o}
	if req.subresource == resource.SubScale {
		t, err := object.DecodeTree(body)
		if err != nil {
			return nil, status.BadRequest("%v", err)
		}
		d.apply = req.scaled(func(object.Tree) (object.Tree, error) { return t, fitName(req, t) })
		return d, nil
	}
	t, flaws, err := object.Decode(req.typ, body, o.Fields)
	if err != nil {
		return nil, err
	}
	if err := fitName(req, t); err != nil {
		return nil, err
	}
	if err := fitNamespace(req, t); err != nil {
		return nil, err
	}
	d.flaws = flaws
	d.apply = func(object.Tree) (object.Tree, error) { return patch.Copy(t).(object.Tree), nil }
	return d, nil
}

// delete answers DELETE of one object.
func (s *Server) delete(w http.ResponseWriter, req *request) error {
	o, err := s.deleteOptions(w, req)
	if err != nil {
		return err
	}
	what := registry.Removal{Namespace: req.namespace, Name: req.name, Delete: o}
	d, gone, err := req.collection.Remove(req.http.Context(), what)
	switch {
	case err != nil:
		return err
	case gone && !req.typ.IsPod():
		wire.Answer(w, req.http, http.StatusOK, status.Deleted(req.typ.About(d.Name), d.UID).Encode())
		return nil
	}
	return s.answerObject(w, req, http.StatusOK, d)
}

// deleteOptions reads them from the body or, if there is none, from the query.
func (s *Server) deleteOptions(w http.ResponseWriter, req *request) (o query.Delete, err error) {
	body, err := wire.ReadBody(w, req.http, s.opts.MaxBody)
	if err == nil && len(body) > 0 {
		_, err = wire.MediaType(req.http, wire.JSON)
	}
	if err != nil {
		return o, err
	}
	return query.ParseDelete(req.query, body)
}

// deleteCollection answers DELETE of a collection: it deletes what a list with
// the same parameters shows, one object after the other, and answers that list.
func (s *Server) deleteCollection(w http.ResponseWriter, req *request) error {
	p, next, err := s.readList(req)
	if err != nil {
		return err
	}
	o, err := s.deleteOptions(w, req)
	if err != nil {
		return err
	}
	for _, d := range p.Docs {
		what := registry.Removal{Namespace: d.Namespace, Name: d.Name, Delete: o}
		_, _, err := req.collection.Remove(req.http.Context(), what)
		if err != nil && status.Of(err).Code != http.StatusNotFound {
			return err
		}
	}
	return s.writeList(w, req, p, next)
}
