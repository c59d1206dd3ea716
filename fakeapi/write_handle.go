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
func (s *Server) create(w http.ResponseWriter, q *request) error {
	body, err := wire.ReadJSON(w, q.http, s.opts.MaxBody)
	if err != nil {
		return err
	}
	o, err := query.ParseWrite(query.CreateOptions, q.query)
	if err != nil {
		return err
	}
	t, flaws, err := object.Decode(q.r(), body, o.Fields)
	if err != nil {
		return err
	}
	wire.Warn(w, flaws)
	if err := fitNamespace(q, t); err != nil {
		return err
	}
	advice := object.FinalizerWarnings(q.r(), nil, object.MetaOf(t))
	d, err := q.c.Create(q.http.Context(), q.r().Kept(t), o.DryRun)
	if err != nil {
		return err
	}
	wire.Warn(w, advice)
	return s.answerObject(w, q, http.StatusCreated, d)
}

// fitNamespace sets the object's namespace to that of the path. It is an error if the
// object names another one.
func fitNamespace(q *request, t object.Tree) error {
	m := object.MetaOf(t)
	switch ns := m.Text("namespace"); {
	case ns == q.namespace:
	case ns == "":
		m["namespace"] = q.namespace
	default:
		return status.BadRequest("the namespace of the provided object does not match the namespace " +
			"sent on the request")
	}
	return nil
}

// fitName returns an error if an update does not name the object of its path.
func fitName(q *request, t object.Tree) error {
	switch name := object.MetaOf(t).Text("name"); name {
	case q.name:
		return nil
	case "":
		return status.BadRequest("the name of the object (%s based on URL) was undeterminable: "+
			"name must be provided", q.name)
	default:
		return status.BadRequest("the name of the object (%s) does not match the name on the URL (%s)",
			name, q.name)
	}
}

// change answers PUT and PATCH, of an object and of its status.
func (s *Server) change(w http.ResponseWriter, q *request) error {
	read := s.readReplacement
	if q.verb == resource.VerbPatch {
		read = s.readPatch
	}
	d, err := read(w, q)
	if err != nil {
		return err
	}
	doc, created, err := q.c.Put(q.http.Context(), registry.Update{Namespace: q.namespace,
		Name:        q.name,
		Subresource: q.subresource, Patch: q.verb == resource.VerbPatch,
		DryRun: d.options.DryRun, Change: d.change}, d.fresh)
	wire.Warn(w, d.flaws)
	if err != nil {
		return err
	}
	wire.Warn(w, d.advice)
	code := http.StatusOK
	if created {
		code = http.StatusCreated
	}
	return s.answerObject(w, q, code, doc)
}

// A draft is the change that a request makes to an object: how the new state follows from
// the present one, and the warnings for the client.
type draft struct {
	q       *request
	options query.Write
	apply   func(present object.Tree) (object.Tree, error)
	flaws   []string // warnings about the body, sent even if the write is refused
	advice  []string // warnings about the new state, sent if the write succeeds
}

// change makes the new state. It is called again if another write comes first.
func (d *draft) change(present object.Tree) (object.Tree, error) {
	was := object.Meta{"finalizers": patch.Copy(object.MetaOf(
		present)["finalizers"])} // apply may alter present
	t, err := d.apply(d.q.r().Shown(present))
	if err != nil {
		return nil, err
	}
	d.advice = object.FinalizerWarnings(d.q.r(), was, object.MetaOf(t))
	return d.q.r().Kept(t), nil
}

// fresh makes the state of an object that does not exist.
func (d *draft) fresh() (object.Tree, error) {
	t, err := d.apply(nil)
	if err != nil {
		return nil, err
	}
	return d.q.r().Kept(t), nil
}

// readReplacement returns the draft of a PUT: its body, whatever the present state is.
func (s *Server) readReplacement(w http.ResponseWriter, q *request) (*draft, error) {
	if q.name == "" {
		return nil, status.BadRequest("name must be provided")
	}
	body, err := wire.ReadJSON(w, q.http, s.opts.MaxBody)
	if err != nil {
		return nil, err
	}
	d := &draft{q: q}
	if d.options, err = query.ParseWrite(query.UpdateOptions, q.query); err != nil {
		return nil, err
	}
	t, flaws, err := object.Decode(q.r(), body, d.options.Fields)
	if err != nil {
		return nil, err
	}
	if err := fitName(q, t); err != nil {
		return nil, err
	}
	if err := fitNamespace(q, t); err != nil {
		return nil, err
	}
	d.flaws = flaws
	d.apply = func(object.Tree) (object.Tree, error) { return patch.Copy(t).(object.Tree), nil }
	return d, nil
}
