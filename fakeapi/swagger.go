package fakeapi

// Version 2 of the documents is what kubectls before 1.27 read, in protobuf.
// It tells of every resource that it can be patched and which parameters that
// has. Definitions there are for custom resources only, and without properties,
// as the real server has them for custom resources of which nothing is known:
// an old kubectl that finds a definition goes by it alone, refuses fields that
// are not in it, and computes patches without knowing which lists are merged.
// For built-in types it goes by what it was built with, if there is none.

// swagger is the document as JSON.
func (s *Server) swagger() tree {
	paths, definitions := tree{}, tree{}
	for _, r := range s.resources() {
		parameters := []any{}
		for _, name := range patchParameters {
			parameters = append(parameters, tree{"name": name, "in": "query", "type": "string"})
		}
		paths[r.objectPath()] = tree{"patch": tree{gvkExtension: r.gvk(), "parameters": parameters,
			"consumes": patchConsumes, "responses": tree{"200": tree{"description": "OK"}}}}
		if !r.Builtin() {
			definitions[r.schemaName()] = tree{"type": "object", "description": r.description(),
				preserveUnknown: true, gvkExtension: []groupVersionKind{r.gvk()}}
		}
	}
	return tree{"swagger": "2.0", "info": openapiInfo, "paths": paths, "definitions": definitions}
}

var (
	patchParameters = []string{"dryRun", "fieldManager", "fieldValidation"}
	patchConsumes   = []string{typeJSONPatch, typeMergePatch}
)

// objectPath is the path of one of the resource's objects.
func (r *Resource) objectPath() string {
	base := "/" + r.versionPath() + "/"
	if !r.Cluster {
		base += "namespaces/{namespace}/"
	}
	return base + r.Plural + "/{name}"
}

// swaggerProto is the same document in protobuf. The numbers are those of the
// fields in the message openapi.v2.Document of github.com/google/gnostic.
func (s *Server) swaggerProto() []byte {
	var paths, definitions message
	for _, r := range s.resources() {
		patch := message{}.message(13, r.gvkProto(false))
		for _, name := range patchParameters {
			query := message{}.text(2, "query").text(4, name).text(6, "string")
			patch = patch.message(8, nest(query, 3, 2, 1))
		}
		for _, media := range patchConsumes {
			patch = patch.text(7, media)
		}
		item := message{}.text(1, r.objectPath()).message(2, nest(patch, 8))
		paths = paths.message(2, item)
		if !r.Builtin() {
			schema := message{}.text(4, r.description()).
				message(22, message{}.text(1, "object")).message(31, r.gvkProto(true))
			definitions = definitions.message(1,
				message{}.text(1, r.schemaName()).message(2, schema))
		}
	}
	info := message{}.text(1, "Kubernetes").text(2, release)
	return message{}.text(1, "2.0").message(2, info).message(8, paths).message(9, definitions)
}

// gvkProto is the extension that names the kind, alone or in a list: a name and
// a value as YAML, which JSON is.
func (r *Resource) gvkProto(list bool) message {
	var v any = r.gvk()
	if list {
		v = []groupVersionKind{r.gvk()}
	}
	value := message{}.text(2, string(encodeJSON(v)))
	return message{}.text(1, gvkExtension).message(2, value)
}

// A message is an encoded protobuf message, as far as it is needed here: fields
// of text, and of other messages.
type message []byte

// text appends a field of text.
func (m message) text(number int, s string) message {
	const lengthDelimited = 2
	m = m.varint(number<<3 | lengthDelimited).varint(len(s))
	return append(m, s...)
}

// message appends a field that is a message.
func (m message) message(number int, inner message) message {
	return m.text(number, string(inner))
}

// nest wraps a message into messages that have it as their only field, from the
// inside out.
func nest(m message, numbers ...int) message {
	for _, n := range numbers {
		m = message{}.message(n, m)
	}
	return m
}

func (m message) varint(n int) message {
	for ; n >= 0x80; n >>= 7 {
		m = append(m, byte(n)|0x80)
	}
	return append(m, byte(n))
}
