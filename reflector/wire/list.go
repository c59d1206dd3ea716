package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
)

// DecodeList reads a list document {"kind": …, "metadata": …, "items": […]}, in whatever order its
// fields come, and every item of it into a P of its own.
//
// Items are decoded while the rest is still under way: what is in memory is the items read so far
// and the bytes of one, not the document. A single item, like any other value in the document, may
// have [reflector.ObjectLimit] bytes; how many items there are is limited by nothing but the page
// size that was asked for. Errors are [*reflector.DecodeError] or those of r.
func DecodeList[T any, P interface {
	*T
	watchglass.Object
}](r io.Reader) (*reflector.List, error) {
	return (&listDecoder[T, P]{limit: reflector.ObjectLimit}).decode(r)
}

// listDecoder reads one list document, token by token down to the items and an item at a time from
// there on. To decode the document in one go would be shorter, and would hold it in memory twice:
// once as bytes and once as objects.
type listDecoder[T any, P objectPointer[T]] struct {
	kind, apiVersion string // what items must be; "" is anything
	limit            int    // of the bytes of one value

	in  budgetReader  // what dec reads from
	dec *json.Decoder // reads ahead as it likes, but no further than in allows
	doc listDocument
}

// listDocument is what is known of the document besides its items.
type listDocument struct {
	kind, apiVersion string
	metadata         struct {
		ResourceVersion string `json:"resourceVersion"`
		Continue        string `json:"continue"`
	}
	hasItems bool // an empty list has items, a single object has none
	items    []watchglass.Object
	status   status // of use where the document turns out to be a Status
}

func (d *listDecoder[T, P]) decode(r io.Reader) (*reflector.List, error) {
	d.in = budgetReader{r: r, limit: d.limit}
	d.dec = json.NewDecoder(&d.in)
	err := d.object()
	if err == nil {
		err = d.check()
	}
	if err != nil {
		return nil, d.explain(err)
	}
	nameKinds(&d.doc)
	return &reflector.List{
		Items:           d.doc.items,
		ResourceVersion: d.doc.metadata.ResourceVersion,
		Continue:        d.doc.metadata.Continue,
	}, nil
}

// explain decides whom to blame: the connection, which may do better next time, or the document.
func (d *listDecoder[T, P]) explain(err error) error {
	_, tooLarge := errors.AsType[*reflector.TooLargeError](d.in.err)
	switch {
	case tooLarge && errors.Is(err, d.in.err):
		return &reflector.DecodeError{What: "list", Err: err} // err says of which value
	case tooLarge:
		return &reflector.DecodeError{What: "list", Err: d.in.err}
	case d.in.stopped():
		return fmt.Errorf("reading list: %w", d.in.err)
	case isCutOff(err):
		return fmt.Errorf("reading list: %w", io.ErrUnexpectedEOF)
	}
	return &reflector.DecodeError{What: "list", Err: err}
}

// isCutOff reports whether the document was right as far as it went. The decoders of json and
// jsonv2 say it in different ways.
func isCutOff(err error) bool {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return true
	}
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	return ok && syntax.Error() == "unexpected end of JSON input"
}

// object reads the document from its first brace to its last, and nothing must follow it.
func (d *listDecoder[T, P]) object() error {
	if token, err := d.token(); token != json.Delim('{') {
		if isCutOff(err) || d.in.stopped() {
			return err
		}
		return fmt.Errorf("want a JSON object, have something that begins %q", d.in.quote())
	}
	for d.dec.More() {
		token, err := d.token()
		if err != nil {
			return err
		}
		key, _ := token.(string)
		if err := d.field(key); err != nil {
			return err
		}
	}
	if _, err := d.token(); err != nil {
		return err
	}
	if _, err := d.token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows behind the list")
	}
	return nil
}

// field reads the value of one field of the document. What it does not know it skips: servers may
// say more in the future.
func (d *listDecoder[T, P]) field(key string) error {
	switch key {
	case "items":
		return d.items()
	case "kind":
		return d.value(key, &d.doc.kind)
	case "apiVersion":
		return d.value(key, &d.doc.apiVersion)
	case "metadata":
		return d.value(key, &d.doc.metadata)
	// A list has none of the next three, a Status has. Which of the two this is, comes last.
	case "message":
		return d.value(key, &d.doc.status.Message)
	case "reason":
		return d.value(key, &d.doc.status.Reason)
	case "code":
		return d.value(key, &d.doc.status.Code)
	case "columnDefinitions", "rows":
		return errTable
	}
	return d.value(key, new(json.RawMessage))
}

// errTable is what comes of asking for what kubectl asks for: rows of cells instead of objects. It
// is told by its columns, before the rows are read for nothing.
var errTable = errors.New("it is a Table, which is for people: ask for application/json as such")

// items reads the array. Null is not taken for an empty one: whoever sends null for a collection is
// no API server, and to believe it would be to delete everything.
func (d *listDecoder[T, P]) items() error {
	d.doc.hasItems = true
	token, err := d.token()
	switch {
	case err != nil:
		return err
	case token == nil:
		return errors.New("items is null, want an array")
	case token != json.Delim('['):
		return fmt.Errorf("items is %q, want an array", prefix(fmt.Sprint(token), 40))
	}
	for d.dec.More() {
		if err := d.item(); err != nil {
			return fmt.Errorf("item %d%w", len(d.doc.items)+1, err)
		}
	}
	_, err = d.token() // the closing bracket
	return err
}

// item reads one item, into an allocation of its own. Its error goes on from the words "item 3".
//
// An item without a name cannot be told from another one without a name; it has no key. The list is
// refused as a whole, because one that is not complete would delete what it leaves out.
func (d *listDecoder[T, P]) item() error {
	item := P(new(T))
	if err := d.value("", item); err != nil {
		return err
	}
	if item.GetName() == "" {
		return fmt.Errorf(" has no metadata.name (namespace %q, resourceVersion %q)",
			item.GetNamespace(), item.GetResourceVersion())
	}
	d.doc.items = append(d.doc.items, item)
	return nil
}

// value decodes the value that comes next.
func (d *listDecoder[T, P]) value(what string, into any) error {
	d.in.allow(d.dec.InputOffset())
	if err := d.dec.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// token reads a brace, a bracket or a key.
func (d *listDecoder[T, P]) token() (json.Token, error) {
	d.in.allow(d.dec.InputOffset())
	return d.dec.Token()
}

// check looks at the document as a whole, which is possible only now: kind often comes last.
func (d *listDecoder[T, P]) check() error {
	doc := &d.doc
	switch {
	case doc.kind == "Status":
		doc.status.Kind = doc.kind
		return fmt.Errorf("it is a Status: %w", doc.status.err())
	case doc.kind == "Table":
		return errTable
	case !doc.hasItems:
		return fmt.Errorf("a document of kind %q has no items: is the URL that of a collection?",
			prefix(doc.kind, 60))
	}
	// A collection may call its list what it likes, so only another kind's list is refused; "List"
	// is the one that fits all.
	listKind := d.kind + "List"
	if d.kind != "" && strings.HasSuffix(doc.kind, "List") && doc.kind != listKind &&
		doc.kind != "List" {
		return fmt.Errorf("it is a %q, want a %q", prefix(doc.kind, 60), listKind)
	}
	if d.apiVersion != "" && doc.apiVersion != "" && doc.apiVersion != d.apiVersion {
		return fmt.Errorf("its apiVersion is %q, want %q", prefix(doc.apiVersion, 60), d.apiVersion)
	}
	return nil
}

// nameKinds tells dynamic objects what they are. Lists of built-in types leave that out of their
// items, but nothing else would tell a Pod from a Secret once it has left the list.
func nameKinds(doc *listDocument) {
	kind, ok := strings.CutSuffix(doc.kind, "List")
	if !ok || kind == "" {
		return
	}
	for _, item := range doc.items {
		if u, ok := item.(*watchglass.Unstructured); ok && u.GetKind() == "" {
			u.Object["kind"], u.Object["apiVersion"] = kind, doc.apiVersion
		}
	}
}
