package fakeapi

import "net/http"

// An eviction asks for a pod to be deleted, unless a disruption budget forbids it.
// This server has no budgets: an eviction deletes.

const subEviction = "eviction"

// evictionKind is the type of the object that a client posts to pods/eviction.
var evictionKind = &Resource{Group: "policy", Version: "v1", Kind: "Eviction"}

// evict answers POST of an eviction.
func (s *Server) evict(w http.ResponseWriter, q *request) error {
	body, err := s.body(w, q)
	if err != nil {
		return err
	}
	o, err := parseWriteOptions(kindCreate, q.query)
	if err != nil {
		return err
	}
	t, flaws, err := decodeObject(evictionKind, body, o.fields)
	if err != nil {
		return err
	}
	warn(w, flaws)
	if name := metaOf(t).text("name"); name != "" && name != q.name {
		return badRequest("name in URL does not match name in Eviction object")
	}
	if err := fitNamespace(q, t); err != nil {
		return err
	}
	deletion := &deleteOptions{}
	if options := t["deleteOptions"]; options != nil {
		if err := deletion.fromBody(q, encodeJSON(options)); err != nil {
			return err
		}
	}
	if err := deletion.validate(); err != nil {
		return err
	}
	d := deletion.removal(q.namespace, q.name)
	d.dryRun = d.dryRun || o.dryRun
	if _, _, err := q.c.remove(q.http.Context(), d); err != nil {
		return err
	}
	done := &Status{Kind: "Status", APIVersion: "v1", Status: "Success", Code: http.StatusCreated}
	s.answer(w, q.http, http.StatusCreated, done.encode())
	return nil
}
